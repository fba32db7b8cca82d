import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { StartError } from './settings.ts'

/** The keys of one embedded database. All but the publishable key are secret. */
export interface Secrets {
  jwtSecret: string
  publishableKey: string
  secretKey: string
  scheduleKey: string
}

/** Reads the keys from `file`; at the first start they are generated there, readable by its owner alone. */
export async function readOrCreateSecrets(file: string): Promise<Secrets> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Secrets
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') {
      throw new StartError(
        `The keys in ${file} cannot be read (${code ?? message}); repair that file, or move it away to get new ones and sign in again.`,
      )
    }
  }
  const secrets = createSecrets()
  // Through a second name: a start that is killed here leaves no half-written keys behind.
  await writeFile(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  return secrets
}

/** Fresh keys, 256 bits each. */
export function createSecrets(): Secrets {
  return {
    jwtSecret: random(),
    publishableKey: `sb_publishable_${random()}`,
    secretKey: `sb_secret_${random()}`,
    scheduleKey: random(),
  }
}

const random = () => randomBytes(32).toString('base64url')
