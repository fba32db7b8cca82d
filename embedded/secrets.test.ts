import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../tests/running.ts'
import { createSecrets, readOrCreateSecrets } from './secrets.ts'
import { StartError } from './settings.ts'

let file: string
let remove: () => Promise<void>
beforeEach(async () => {
  const temporary = await temporaryFolder()
  remove = temporary.remove
  file = path.join(temporary.folder, 'owner-keys.json')
})
afterEach(() => remove())

test('creates keys once', async () => {
  const created = await readOrCreateSecrets(file)
  expect(await readOrCreateSecrets(file)).toEqual(created)
})

const complete = createSecrets()

test.each([
  ['an empty file', '', 'not JSON'],
  ['half a file', JSON.stringify(complete).slice(0, -9), 'not JSON'],
  ['null', 'null', 'no keys'],
  ['a list', '[]', 'jwtSecret is missing or too short'],
  ['no key', '{}', 'jwtSecret is missing or too short'],
  ...Object.keys(complete).flatMap((key) =>
    [...(key === 'vapid' ? [] : [undefined]), null, 7, '', 'short'].map((value): [string, string, string] => [
      `${JSON.stringify(value)} for ${key}`,
      JSON.stringify({ ...complete, [key]: value }),
      `${key} is missing or too short`,
    ]),
  ),
])('rejects %s and leaves the file unchanged', async (_, text, reason) => {
  await writeFile(file, text)
  const reading = readOrCreateSecrets(file)
  await expect(reading).rejects.toThrow(StartError)
  await expect(reading).rejects.toThrow(
    `The keys in ${file} can't be used (${reason}). Restore that file, or`,
  )
  expect(await readFile(file, 'utf8')).toBe(text)
})
