// Builds what a release publishes, in the folder `release`: `node scripts/release.ts v1.0.0`. The release workflow runs it.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import packageJson from '../package.json' with { type: 'json' }
import { ROOT } from '../embedded/installation.ts'
import { compareReleased } from './freeze.ts'

const execute = promisify(execFile)

/** Returns the newest version's notes. Throws if the tag, the package and the top of the changelog name different versions. */
export function releaseNotes(tag: string, version: string, changelog: string): string {
  const [, newest, notes] = /^## (\S+)[^\n]*\n([^]*?)(?=\n## |$(?![^]))/m.exec(changelog) ?? []
  if (tag !== `v${version}` || newest !== version) {
    throw new Error(
      `The tag is ${tag}, the version in package.json is ${version}, and the newest in CHANGELOG.md is ${newest ?? 'missing'}. They must agree.`,
    )
  }
  return notes!.trim()
}

/** Writes the release notes, the package, its SHA-256 and the list of everything that is bundled into it. */
export async function buildRelease(notes: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'notes.md'), `${notes}\n`)
  await execute('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT })
  const file = (await readdir(folder)).find((name) => name.endsWith('.tgz'))!
  const digest = createHash('sha256')
    .update(await readFile(path.join(folder, file)))
    .digest('hex')
  // The format that `sha256sum --check` reads.
  await writeFile(path.join(folder, `${file}.sha256`), `${digest}  ${file}\n`)
  // The libraries are development dependencies, which are bundled into the package.
  const sbom = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx']
  const { stdout } = await execute('npm', sbom, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 })
  await writeFile(path.join(folder, `${packageJson.name}-${packageJson.version}.cdx.json`), stdout)
}

if (process.argv[1] === import.meta.filename) {
  const isFrozen = (await compareReleased()).every(({ released, present }) => released === present)
  if (!isFrozen) throw new Error('Some migrations are new. Run npm run freeze, and commit the list.')
  const changelog = await readFile(path.join(ROOT, 'CHANGELOG.md'), 'utf8')
  const notes = releaseNotes(process.argv[2] ?? '', packageJson.version, changelog)
  await buildRelease(notes, path.join(ROOT, 'release'))
}
