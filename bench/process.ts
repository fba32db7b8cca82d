import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { DENO } from '../embedded/functions.ts'

// What Linux counts processor time in.
const TICKS_PER_SECOND = 100

/** Seconds of processor time that a process has used so far. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** The most memory that a process has held so far, in MB. */
export function peakMemory(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

/** The peak memory of a Deno that does nothing, in MB. */
export async function idleDenoMemory(): Promise<number> {
  const deno = spawn(DENO, ['eval', 'setInterval(() => {}, 1000)'])
  await sleep(1500)
  const peak = peakMemory(deno.pid!)
  deno.kill()
  return peak
}
