import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { chown, readdir } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../settings.ts'

/** The user that runs PostgreSQL, which refuses to run as root. */
export interface ProcessUser {
  prefix: string[]
  ids: { uid?: number; gid?: number }
  own(folder: string): Promise<void>
}

// The user id of "nobody" on Linux.
const NOBODY = 65534

async function own(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  for (const file of ['', ...files]) await chown(path.join(folder, file), NOBODY, NOBODY)
}

/** Returns the user to run PostgreSQL as. Throws a StartError if root can't run `program` on files in `folder` as another user. */
export function processUser(program: string, folder: string): ProcessUser {
  if (process.getuid?.() !== 0) return { prefix: [], ids: {}, own: async () => undefined }
  if (process.platform !== 'linux') {
    throw new StartError("PostgreSQL can't run as root. Start the tracker as another user.")
  }
  if (isOpenToAll(path.dirname(program)) && isOpenToAll(folder)) {
    return { prefix: [], ids: { uid: NOBODY, gid: NOBODY }, own }
  }
  if (!hasSetpriv()) {
    throw new StartError(
      `PostgreSQL can't run as root, and other users can't reach ${folder} or ${path.dirname(program)}. ` +
        'Start the tracker as another user, move both to a folder that every user can enter, or install setpriv (util-linux).',
    )
  }
  // These capabilities let "nobody" access private folders such as /root. The securebit preserves them for access(), which
  // PostgreSQL uses to find its own executable.
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

/** Returns whether every user can enter the folder and all its parents. */
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
