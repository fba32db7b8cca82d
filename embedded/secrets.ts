import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import * as v from 'valibot'
import { StartError } from './settings.ts'

// HS256 requires 32 bytes.
const Key = v.pipe(v.string(), v.minLength(32))
const SecretsSchema = v.object({
  jwtSecret: Key,
  publishableKey: Key,
  secretKey: Key,
  scheduleKey: Key,
  vapid: v.object({ publicKey: Key, privateKey: Key }),
})

/** The keys of one embedded database. All but the public ones are secret. */
export type Secrets = v.InferOutput<typeof SecretsSchema>

/** Reads the keys from `file`. Creates the file, readable only by its owner, if it doesn't exist. */
export async function readOrCreateSecrets(file: string): Promise<Secrets> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw unusable(file, `${error.code}`)
  })
  if (text !== undefined) return parseSecrets(text, file)
  const secrets = createSecrets()
  // Write to a temporary file first, so a killed start never leaves incomplete keys.
  await writeFile(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  return secrets
}

// Requires every key, because Supabase Lite replaces a missing one with a public default.
function parseSecrets(text: string, file: string): Secrets {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw unusable(file, 'not JSON')
  }
  const read = v.safeParse(SecretsSchema, json)
  if (read.success) return read.output
  const key = v.getDotPath(read.issues[0])
  throw unusable(file, key ? `${key} is missing or too short` : 'no keys')
}

function unusable(file: string, reason: string): StartError {
  return new StartError(
    `The keys in ${file} can't be used (${reason}). Restore that file, or move it away to get new keys and sign in again.`,
  )
}

/** Creates keys of 256 bits each. */
export function createSecrets(): Secrets {
  return {
    jwtSecret: random(),
    publishableKey: `sb_publishable_${random()}`,
    secretKey: `sb_secret_${random()}`,
    scheduleKey: random(),
    vapid: createVapidKeys(),
  }
}

const random = () => randomBytes(32).toString('base64url')

/** Creates the P-256 keys that identify the tracker to push services, in base64url: an uncompressed point and its scalar. */
export function createVapidKeys(): { publicKey: string; privateKey: string } {
  const { x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  const point = [Buffer.from([4]), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]
  return { publicKey: Buffer.concat(point).toString('base64url'), privateKey: d! }
}
