import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWithPgtap, type TestDatabase } from './databases.ts'

const TESTS = new URL('../../supabase/tests/', import.meta.url)
const files = readdirSync(TESTS).filter((file) => file.endsWith('.test.sql'))

let database: TestDatabase
beforeAll(async () => {
  database = await openWithPgtap()
})
afterAll(() => database.close())

test.each(files)('%s', async (file) => {
  const lines = await tapLines(database, await readFile(new URL(file, TESTS), 'utf8'))
  const plan = Number(lines.find((line) => /^1\.\.\d+$/.test(line))?.slice(3))
  expect(lines.filter((line) => /^(?:not ok|#)/.test(line)).join('\n')).toBe('')
  expect(lines.filter((line) => line.startsWith('ok '))).toHaveLength(plan)
})

/** Runs a pgTAP test. Resolves to its TAP lines, which pgTAP's functions return as text. */
async function tapLines(database: TestDatabase, sql: string): Promise<string[]> {
  // pgTAP is already installed, but not as an extension.
  const statements = sql.replace(/^create extension if not exists pgtap .*;$/m, '')
  const results = await database.run(statements).catch(async (error: unknown) => {
    await database.run('rollback')
    throw error
  })
  return results
    .flat()
    .flatMap((row) => Object.values(row))
    .flatMap((value) => (typeof value === 'string' ? value.split('\n') : []))
    .filter((line) => /^(?:not ok|ok |#|1\.\.\d)/.test(line))
}
