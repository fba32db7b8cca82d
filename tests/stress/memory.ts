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

/** Returns a process and everything that it started, with what is resident of each. */
export function processTree(root: number): Process[] {
  const all = readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? (statusOf(Number(pid)) ?? []) : []))
  const found = all.filter(({ pid }) => pid === root)
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid))
  return found
}

/**
 * Like `processTree`, but a page counts once: each process has its own memory, and `files` are the programs and the memory that
 * several share. The sum of what is resident counts PostgreSQL's buffers and Node.js's program once per process.
 */
export function countedOnce(root: number): Process[] {
  const files = new Map<string, number>()
  const own = processTree(root)
  for (const process of own) process.megabytes = ownMemory(process.pid, files)
  const shared = [...files.values()].reduce((sum, megabytes) => sum + megabytes, 0)
  return [...own, { pid: 0, name: 'files', megabytes: shared }]
}

// A mapping's line: addresses, permissions, offset, device, inode.
const MAPPING = /^[\da-f]+-[\da-f]+ \S+ (\S+ \S+ \d+)/

/** Returns a process's own memory in MB, and adds to `files` the most that a process has of each mapped file. */
function ownMemory(pid: number, files: Map<string, number>): number {
  let [own, resident] = [0, 0]
  let mapping = ''
  for (const line of smapsOf(pid).split('\n')) {
    mapping = MAPPING.exec(line)?.[1] ?? mapping
    const [, field, kB] = /^(Rss|Anonymous):\s+(\d+)/.exec(line) ?? []
    if (field === 'Rss') resident = Number(kB) / 1024
    if (field !== 'Anonymous') continue
    own += Number(kB) / 1024
    files.set(mapping, Math.max(files.get(mapping) ?? 0, resident - Number(kB) / 1024))
  }
  return own
}

function smapsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/smaps`, 'utf8')
  } catch {
    // The process has ended.
    return ''
  }
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
