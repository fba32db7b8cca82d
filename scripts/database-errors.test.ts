import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DATABASE_ERRORS } from '../supabase/functions/_shared/database-errors.ts'
import { ERROR_TABLES, tableOf } from './error-tables.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const codesIn = (text: string, pattern: RegExp) =>
  [...new Set(text.matchAll(pattern).map(([code]) => code.slice(-5)))].toSorted()
const listed = Object.keys(DATABASE_ERRORS)
  .filter((code) => /^(RMT|PT)/.test(code))
  .toSorted()

test('every code of the tracker has a meaning', () => {
  const schemas = readdirSync('supabase/schemas').map((file) => read(`supabase/schemas/${file}`))
  const programs = ['embedded/backup/restore.ts', 'embedded/upgrade.ts'].map(read)
  // RMT00 takes back a preview within the database.
  expect(codesIn([...schemas, ...programs].join(), /'(RMT(?!00)\d\d|PT\d{3})/g)).toEqual(listed)
})

test.each(Object.entries(ERROR_TABLES))(
  'docs/errors.md lists what the code lists: %s (npm run types)',
  (heading, table) => {
    expect(tableOf(read('docs/errors.md'), heading)).toEqual(table)
  },
)
