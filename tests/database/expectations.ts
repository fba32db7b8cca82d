import { readFile } from 'node:fs/promises'
import { openMigratedDatabase } from './databases.ts'

export const ACTORS = ['owner', 'another user', 'anon', 'secret key'] as const
export type Actor = (typeof ACTORS)[number]

/** The outcome of a data API request for each actor. */
export interface Expectation extends Record<Actor, string> {
  /** A method, a path below `/rest/v1/`, and an optional JSON body. */
  request: string
}

const sql = await readFile(new URL('../../supabase/tests/access.test.sql', import.meta.url), 'utf8')

function section(heading: string): string {
  return new RegExp(String.raw`^-- ${heading}: .*\n((?:(?!--).*\n)*)`, 'm').exec(sql)![1]!
}

export const ROWS = section('Rows')

/** Reads the expectations table with PostgreSQL, so pgTAP and data API tests share it. */
export async function readExpectations(): Promise<Expectation[]> {
  const database = await openMigratedDatabase()
  const results = await database.run(`${section('Expectations')};
    select owner, "another user", anon, "secret key", request from expected
    union all select owner, "another user", anon, "secret key", request from expected_of_functions`)
  await database.close()
  return results.at(-1) as unknown as Expectation[]
}
