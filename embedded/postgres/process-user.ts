import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { chown, readdir } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../settings.ts'

/** How PostgreSQL's programs run, given that PostgreSQL refuses to run as root. */
export interface ProcessUser {
  /** What goes before a program and its arguments. */
  prefix: string[]
  /** The user for `spawn`. */
  ids: { uid?: number; gid?: number }
  /** Gives a folder, and all that is in it, to that user. */
  own(folder: string): Promise<void>
}

// "nobody", on every Linux.
const NOBODY = 65534

async function own(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  for (const file of ['', ...files]) await chown(path.join(folder, file), NOBODY, NOBODY)
}

/** Throws a StartError when root has no way to run `program` on files in `folder` as another user. */
export function processUser(program: string, folder: string): ProcessUser {
  if (process.getuid?.() !== 0) return { prefix: [], ids: {}, own: async () => undefined }
  if (process.platform !== 'linux') {
    throw new StartError('PostgreSQL does not run as root. Start the tracker as another user.')
  }
  if (isOpenToAll(path.dirname(program)) && isOpenToAll(folder)) {
    return { prefix: [], ids: { uid: NOBODY, gid: NOBODY }, own }
  }
  if (!hasSetpriv()) {
    throw new StartError(
      `PostgreSQL does not run as root, and other users can't reach ${folder} or ${path.dirname(program)}. ` +
        'Start the tracker as another user, move both to a folder that every user may enter, or install setpriv (util-linux).',
    )
  }
  // These two capabilities let "nobody" pass closed folders such as /root. The securebit keeps them for access() too, by
  // which PostgreSQL finds its own program.
  const capabilities = '+dac_override,+dac_read_search'
  const prefix = [
    'setpriv',
    '--securebits=+no_setuid_fixup',
    `--reuid=${NOBODY}`,
    `--regid=${NOBODY}`,
    '--clear-groups',
    `--inh-caps=-all,${capabilities}`,
    `--ambient-caps=${capabilities}`,
  ]
  return { prefix, ids: {}, own }
}

/** Whether every user may enter the folder and all that it is in. */
function isOpenToAll(folder: string): boolean {
  const parent = path.dirname(folder)
  return (statSync(folder).mode & 0o001) > 0 && (parent === folder || isOpenToAll(parent))
}

function hasSetpriv(): boolean {
  try {
    execFileSync('setpriv', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
