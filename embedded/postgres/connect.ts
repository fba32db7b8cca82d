import postgres, { type Options, type PostgresType, type Sql } from 'postgres'
import { readConnectionUrl } from './database-url.ts'

// Supabase Lite already passes JSON as text.
const asJson = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
const isoTimestamp = (text: string) => text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')

/** Parses and formats numbers, JSON and ISO 8601 timestamps like PostgREST. */
export const POSTGREST_TYPES = {
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  numeric: { to: 1700, from: [1700], serialize: String, parse: Number },
  timestamp: { to: 1114, from: [1114], serialize: String, parse: (text: string) => text.replace(' ', 'T') },
  timestamptz: { to: 1184, from: [1184], serialize: String, parse: isoTimestamp },
  date: { to: 1082, from: [1082], serialize: String, parse: String },
  json: { to: 114, from: [114], serialize: asJson, parse: JSON.parse },
  jsonb: { to: 3802, from: [3802], serialize: asJson, parse: JSON.parse },
} satisfies Record<string, PostgresType>

/** Returns the driver's options for sessions whose output doesn't depend on the database's or the role's own settings. */
export function connectionOptions(url: string, max: number) {
  const { connection, ...options } = readConnectionUrl(url)
  return {
    // Close idle sessions to save memory. Opening a new one takes only milliseconds.
    idle_timeout: 20,
    connect_timeout: 10,
    ...options,
    max,
    onnotice: () => undefined,
    // PgBouncer accepts no other parameters at the start.
    connection: { ...connection, TimeZone: 'UTC', DateStyle: 'ISO, MDY', standard_conforming_strings: 'on' },
  } satisfies Options<{}>
}

/** Opens a pool of at most `max` sessions. With the default of one, statements run in order. */
export function connect(url: string, max = 1, { connection, ...more }: Options<{}> = {}): Sql {
  const options = connectionOptions(url, max)
  return postgres({
    ...options,
    types: POSTGREST_TYPES,
    ...more,
    connection: { ...options.connection, ...connection },
  })
}

export function withDatabase(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}
