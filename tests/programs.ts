import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { ROOT } from '../embedded/installation.ts'
import { bundle, bundleFunctions, IN_CLONE } from '../scripts/bundle.ts'

export const PROGRAMS = {
  start: 'embedded/start.ts',
  backup: 'scripts/backup.ts',
  restore: 'scripts/restore.ts',
  connect: 'scripts/connect.ts',
  doctor: 'scripts/doctor.ts',
  'switch-account': 'scripts/switch-account.ts',
}

/** Returns the path of the test run's bundle or, without bundles, of the source. */
export const programFile = (name: keyof typeof PROGRAMS) =>
  process.env.TEST_PROGRAMS ? path.join(process.env.TEST_PROGRAMS, `${name}.js`) : PROGRAMS[name]

/** Bundles the programs, so they load one file instead of 500 and start in a third of the time. Returns a cleanup function. */
export async function bundlePrograms(): Promise<() => Promise<void>> {
  if (process.env.TEST_PROGRAMS) return async () => undefined
  // Bundles still import some packages, which they must be able to resolve.
  const cache = path.join(ROOT, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(path.join(cache, 'programs-'))
  await bundle(folder, { ...IN_CLONE, input: PROGRAMS }, false)
  await bundleFunctions(folder)
  process.env.TEST_PROGRAMS = folder
  return async () => {
    delete process.env.TEST_PROGRAMS
    await rm(folder, { recursive: true })
  }
}
