import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface Memory {
  stack: number
  functions: number
}

/** Returns the memory of the stack and its functions, in MB. Linux only. */
export function memoryOf(pid: number): Memory {
  const children = execFileSync('ps', ['-o', 'pid=,comm=', '--ppid', String(pid)], { encoding: 'utf8' })
  const [, deno] = /(\d+) deno/.exec(children)!
  return { stack: residentMegabytes(pid), functions: residentMegabytes(Number(deno)) }
}

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Math.round(Number(kilobytes) / 1024)
}
