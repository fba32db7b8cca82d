// The tables of docs/errors.md that list what the code lists: `npm run types` writes them, and a test compares them.
import { globSync, readFileSync } from 'node:fs'
import { DATABASE_ERRORS } from '../supabase/functions/_shared/database-errors.ts'
import { ERRORS } from '../supabase/functions/_shared/http/errors.ts'

type Row = readonly string[]

const code = (text: string) => `\`${text}\``

const STATUSES = Object.entries(Object.groupBy(Object.entries(ERRORS), ([, { status }]) => status))
const FUNCTIONS: Row[] = [
  ['status', 'codes'],
  ...STATUSES.map(([status, errors = []]) => [status, errors.map(([name]) => code(name)).join(', ')]),
]

/** Lists the SQL functions that raise each code, and whether they answer 409 instead. A command has the name of its function. */
function readSources(): Map<string, Row> {
  const files = globSync('supabase/schemas/*.sql').toSorted()
  const sources = new Map<string, Row>()
  for (const text of files.map((file) => readFileSync(file, 'utf8'))) {
    for (const definition of text.split(/^(?=create |comment )/m)) {
      const name = /^create function \w+\.(?:command_)?(\w+)/.exec(definition)?.[1]
      if (!name) continue
      for (const [, refusal, found = ''] of definition.matchAll(/(refuse\(\s*)?'(RMT(?!00)\d\d|PT\d{3})'/g)) {
        const source = `${code(name)}${refusal ? ' (409)' : ''}`
        sources.set(found, [...new Set([...(sources.get(found) ?? []), source])])
      }
    }
  }
  return sources
}

const sources = readSources()

const DATABASE: Row[] = [
  ['SQLSTATE', 'message', 'API code', 'from'],
  ...Object.entries(DATABASE_ERRORS)
    .toSorted(([a], [b]) => Number(/^\d/.test(a)) - Number(/^\d/.test(b)))
    .map(([state, { message, code: name }]) => [
      code(state),
      message ?? "the database's own",
      name ? code(name) : '',
      sources.get(state)?.join(', ') ?? '',
    ]),
]

/** The tables, by the heading above them. */
export const ERROR_TABLES = { Functions: FUNCTIONS, Database: DATABASE }

const tableUnder = (heading: string) => new RegExp(String.raw`(?<=\n## ${heading}\n[^|#]*\n)(?:\|.*\n)+`)

/** Returns the cells of the table under a heading, without the line below its header. */
export function tableOf(page: string, heading: string): Row[] {
  const lines = tableUnder(heading).exec(page)?.[0].trim().split('\n') ?? []
  return lines.toSpliced(1, 1).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

/** Returns the page with current tables. */
export function withTables(page: string): string {
  return Object.entries(ERROR_TABLES).reduce((text, [heading, [header = [], ...rows]]) => {
    const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`)
    return text.replace(tableUnder(heading), () => lines.join(''))
  }, page)
}
