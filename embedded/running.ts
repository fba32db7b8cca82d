import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Settings } from './settings.ts'

/** The URL and account of a running stack, for commands that check it. */
export interface RunningStack {
  url: string
  account: Settings['account']
}

const fileIn = (dataFolder: string) => path.join(dataFolder, 'running.json')

/** Writes the file that describes the running stack. The returned function removes it. */
export async function writeRunning(dataFolder: string, running: RunningStack): Promise<() => Promise<void>> {
  await writeFile(fileIn(dataFolder), JSON.stringify(running))
  return () => removeRunning(dataFolder)
}

/** Removes the file, including one left over after `kill -9`. */
export async function removeRunning(dataFolder: string): Promise<void> {
  await rm(fileIn(dataFolder), { force: true })
}

/** Returns the stack that uses the data folder. Undefined while it starts or stops. */
export async function readRunning(dataFolder: string): Promise<RunningStack | undefined> {
  try {
    return JSON.parse(await readFile(fileIn(dataFolder), 'utf8')) as RunningStack
  } catch {
    return undefined
  }
}
