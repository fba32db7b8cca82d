// Plain JavaScript, so a start from a bundle doesn't load Node.js's TypeScript compiler.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'

const ROOT = path.dirname(import.meta.dirname)

/**
 * Returns the folder of a clone's build. First calls `build` with a folder to fill if the build's sources have changed.
 *
 * @param {string} name
 * @param {string[]} sources
 * @param {(folder: string) => Promise<unknown>} build
 * @param {string} place What else the build depends on
 */
export async function upToDate(name, sources, build, place = '') {
  const folder = path.join(ROOT, 'node_modules/.cache', name, await digestOf(sources, place))
  if (existsSync(folder)) return folder
  // Build under a temporary name, so an interrupted or parallel build is never used.
  const unfinished = `${folder}.${process.pid}`
  await build(unfinished)
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  return folder
}

/**
 * @param {string[]} sources
 * @param {string} place
 */
async function digestOf(sources, place) {
  const files = (await Array.fromAsync(glob(sources, { cwd: ROOT, withFileTypes: true })))
    .filter((file) => file.isFile() && !/\.test\.tsx?$/.test(file.name))
    .map((file) => path.join(file.parentPath, file.name))
    .toSorted()
  const digest = createHash('sha256').update(place)
  for (const file of files) digest.update(path.relative(ROOT, file)).update(await readFile(file))
  return digest.digest('hex').slice(0, 16)
}
