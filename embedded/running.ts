import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Settings } from './settings.ts'

/** Where a stack runs, and whose data it shows: for the commands that have to ask it. */
export interface RunningStack {
  url: string
  account: Settings['account']
}

const fileIn = (dataFolder: string) => path.join(dataFolder, 'running.json')

/** Says where the stack runs, until the returned function is called. */
export async function sayRunning(dataFolder: string, running: RunningStack): Promise<() => Promise<void>> {
  await writeFile(fileIn(dataFolder), JSON.stringify(running))
  return () => forgetRunning(dataFolder)
}

/** What is still said after a `kill -9` is not true any more. */
export async function forgetRunning(dataFolder: string): Promise<void> {
  await rm(fileIn(dataFolder), { force: true })
}

/** Where the stack runs that has taken the data folder; undefined while it starts or stops. */
export async function readRunning(dataFolder: string): Promise<RunningStack | undefined> {
  try {
    return JSON.parse(await readFile(fileIn(dataFolder), 'utf8')) as RunningStack
  } catch {
    return undefined
  }
}
