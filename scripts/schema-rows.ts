import { connect } from '../embedded/postgres/connect.ts'

interface Keyed {
  name: string
  columns: string[]
  key: string[]
}

interface Table extends Keyed {
  /** Each row's values as SQL, by its key as SQL. */
  rows: Map<string, string>
}

const TABLES = `
select pg_class.oid::regclass::text as name, array_agg(quote_ident(attname) order by attnum) as columns,
  array_agg(quote_ident(attname) order by attnum) filter (where attnum = any (indkey)) as key
from pg_class
join pg_index on indrelid = pg_class.oid and indisprimary
join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
where relnamespace in ('public'::regnamespace, 'private'::regnamespace)
group by 1 order by 1`

const literals = (columns: string[]) =>
  `concat_ws(', ', ${columns.map((column) => `quote_nullable(${column}::text)`).join()})`

/** Reads the tables that have rows. In a database that nobody has used, all rows come from its schema. */
export async function readRows(url: string): Promise<Map<string, Table>> {
  const sql = connect(url)
  try {
    // With an empty search_path, PostgreSQL prints schema-qualified names.
    await sql`set search_path = ''`
    const tables = new Map<string, Table>()
    for (const { name, columns, key } of await sql.unsafe<Keyed[]>(TABLES)) {
      const rows = await sql.unsafe<{ own: string; all: string }[]>(
        `select ${literals(key)} as own, ${literals(columns)} as all from ${name} order by 1`,
      )
      if (rows.length === 0) continue
      tables.set(name, { name, key, columns, rows: new Map(rows.map(({ own, all }) => [own, all])) })
    }
    return tables
  } finally {
    await sql.end()
  }
}

/** Returns the SQL that changes the schema's rows at `from` to those at `to`, such as the list of commands. */
export async function rowChanges(from: string, to: string): Promise<string> {
  const [before, after] = await Promise.all([readRows(from), readRows(to)])
  const deletes = [...before.values()].flatMap(({ name, key, rows }) =>
    [...rows.keys()]
      .filter((row) => !after.get(name)?.rows.has(row))
      .map((row) => `delete from ${name} where (${key.join(', ')}) = (${row});\n`),
  )
  const writes = [...after.values()].flatMap(({ name, key, columns, rows }) => {
    const set = columns.map((column) => `${column} = excluded.${column}`).join(', ')
    return [...rows]
      .filter(([row, values]) => before.get(name)?.rows.get(row) !== values)
      .map(
        ([, values]) =>
          `insert into ${name} (${columns.join(', ')}) values (${values})\non conflict (${key.join(', ')}) do update set ${set};\n`,
      )
  })
  return [...deletes, ...writes].join('')
}
