import { readdirSync, readFileSync } from 'node:fs'

export interface Memory {
  stack: number
  functions: number
}

/** Returns the memory of the stack and its functions, in MB. Linux only. */
export function memoryOf(pid: number): Memory {
  const [stack, ...children] = processTree(pid)
  const deno = children.find(({ name }) => name === 'deno')
  return { stack: Math.round(stack!.megabytes), functions: Math.round(deno!.megabytes) }
}

export interface Process {
  pid: number
  name: string
  megabytes: number
}

/** Returns a process and everything that it started. */
export function processTree(root: number): Process[] {
  const all = readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? (statusOf(Number(pid)) ?? []) : []))
  const found = all.filter(({ pid }) => pid === root)
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid))
  return found
}

/** Returns undefined if the process has ended. */
export function statusOf(pid: number) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '0'
    return {
      pid,
      parent: Number(field('PPid')),
      name: field('Name'),
      megabytes: Number(field('VmRSS')) / 1024,
    }
  } catch {
    // The process ended after /proc was listed.
    return undefined
  }
}
