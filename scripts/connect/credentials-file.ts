import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { writeAtomically } from '../../embedded/backup/file.ts'
import { requireWritable } from '../../embedded/data-folder.ts'
import { readTextFile, StartError } from '../../embedded/settings.ts'

export type TokenCredentials = Record<'RWGPS_API_KEY' | 'RWGPS_AUTH_TOKEN' | 'RWGPS_USER_ID', string>

/** Returns an environment file. The Supabase CLI parses it like dotenv, which doesn't support escapes in these quotes. */
export const envLines = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${quoted(value)}\n`)
    .join('')

function quoted(value: string): string {
  if (/^[\w.+/-]+$/.test(value)) return value
  const quote = ["'", '`'].find((quote) => !value.includes(quote))
  if (quote) return `${quote}${value}${quote}`
  throw new StartError("A secret can't contain both ' and `.")
}

/** Replaces the credentials in a file, creating it if needed. Throws a StartError if that would change other values. */
export async function saveCredentials(file: string, credentials: TokenCredentials): Promise<void> {
  const exists = existsSync(file)
  const before = exists ? readTextFile(file) : ''
  const after = replaceCredentials(before, credentials)
  if (after === null) {
    throw new StartError(
      `${file} has lines that can't be changed safely. Remove the lines of RWGPS_PASSWORD and the other credentials, then run this again. Nothing was changed.`,
    )
  }
  await requireWritable(path.dirname(file))
  // If the file is a symbolic link, replace its target.
  await writeAtomically(exists ? await realpath(file) : file, after)
}

const REPLACED = ['RWGPS_API_KEY', 'RWGPS_AUTH_TOKEN', 'RWGPS_USER_ID', 'RWGPS_EMAIL', 'RWGPS_PASSWORD']

// A quoted value may span several lines.
const VALUE = String.raw`(?:"[^"]*"|'[^']*'|` + '`[^`]*`' + String.raw`|)[^\n]*`
const ASSIGNMENT = new RegExp(
  String.raw`^[^\S\n]*(?:export[^\S\n]+)?(?:${REPLACED.join('|')})[^\S\n]*=[^\S\n]*${VALUE}(?:\n|$)`,
  'gm',
)

/** Replaces all credentials in the text with these. Returns null if any other value would change. */
export function replaceCredentials(text: string, credentials: TokenCredentials): string | null {
  const others = text.replaceAll(ASSIGNMENT, '')
  const end = others === '' || others.endsWith('\n') ? '' : '\n'
  const replaced = `${others}${end}${envLines(credentials)}`
  const otherValues = Object.entries(parseEnv(text)).filter(([name]) => !REPLACED.includes(name))
  const expected = { ...Object.fromEntries(otherValues), ...credentials }
  return isSame(parseEnv(replaced), expected) ? replaced : null
}

function isSame(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  const names = [...Object.keys(one), ...Object.keys(other)]
  return names.every((name) => one[name] === other[name])
}
