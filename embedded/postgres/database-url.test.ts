import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/running.ts'
import { readConnectionUrl } from './database-url.ts'

const HERE = { host: 'db.example', database: 'tracker', user: 'ann', password: 'p', ssl: false }

test.each([
  ['postgresql://ann:p@db.example/tracker', HERE],
  ['postgres://ann:p@db.example:5433/tracker', { ...HERE, port: 5433 }],
  ['postgresql://db.example/?user=ann&password=p&dbname=tracker&port=5433', { ...HERE, port: 5433 }],
  ['postgresql://ann:p@elsewhere/other?host=db.example&dbname=tracker', HERE],
  ['postgresql://ann:p%25%23%3F%2F%40@db.example/tracker', { ...HERE, password: 'p%#?/@' }],
  ['postgresql://ann:p@q@db.example/tracker', { ...HERE, password: 'p@q' }],
  ['postgresql://ann:p@db.example/R%C3%A4der%20100%25', { ...HERE, database: 'Räder 100%' }],
  ['postgresql://ann:p@db.example/Räder', { ...HERE, database: 'Räder' }],
  ['postgresql:///tracker?user=ann&password=p&host=/run/pg', { ...HERE, host: '/run/pg' }],
  ['postgresql://ann:p@[::1]/tracker', { ...HERE, host: ['::1'], port: [5432] }],
  ['postgresql://ann:p@db.example/tracker?application_name=x&keepalives=1&gssencmode=disable', HERE],
  ['postgresql://ann:p@db.example/tracker?connect_timeout=3', { ...HERE, connect_timeout: 3 }],
  [
    'postgresql://ann:p@db.example/tracker?options=project%3Dx',
    { ...HERE, connection: { options: 'project=x' } },
  ],
  ['postgresql://ann:p@db.example/tracker?sslmode=disable', HERE],
  ['postgresql://ann:p@db.example/tracker?sslmode=prefer', { ...HERE, ssl: 'prefer' }],
  ['postgresql://ann:p@db.example/tracker?target_session_attrs=any', HERE],
  [
    'postgresql://ann:p@db.example/tracker?target_session_attrs=primary',
    { ...HERE, target_session_attrs: 'primary' },
  ],
])('reads %s', (url, expected) => {
  expect(readConnectionUrl(url)).toEqual(expected)
})

const AT = 'postgresql://ann:p@db.example/tracker'
const ANY_NAME = { checkServerIdentity: expect.any(Function) }
const { folder, remove } = await temporaryFolder()
const root = path.join(folder, 'root.crt')
await writeFile(root, 'a certificate')
afterAll(() => remove())

test.each([
  ['sslmode=require', { rejectUnauthorized: false, ...ANY_NAME }],
  ['sslmode=require&channel_binding=require', { rejectUnauthorized: false, ...ANY_NAME }],
  ['ssl=true', { rejectUnauthorized: false, ...ANY_NAME }],
  ['sslmode=no-verify', { rejectUnauthorized: false, ...ANY_NAME }],
  [`sslmode=require&sslrootcert=${root}`, { rejectUnauthorized: true, ca: 'a certificate', ...ANY_NAME }],
  [`sslmode=verify-ca&sslrootcert=${root}`, { rejectUnauthorized: true, ca: 'a certificate', ...ANY_NAME }],
  [
    `sslmode=verify-full&sslrootcert=${root}`,
    { rejectUnauthorized: true, ca: 'a certificate', host: 'db.example' },
  ],
  ['sslrootcert=system', { rejectUnauthorized: true, host: 'db.example' }],
  [
    `sslmode=verify-full&sslcert=${root}&sslkey=${root}`,
    { rejectUnauthorized: true, host: 'db.example', cert: 'a certificate', key: 'a certificate' },
  ],
])('with %s, sets TLS up', (parameters, ssl) => {
  expect(readConnectionUrl(`${AT}?${parameters}`).ssl).toEqual(ssl)
})

const UNREADABLE = "DATABASE_URL can't be read. In its user, password and database name, write % as %25"
test.each([
  ['mysql://ann:secret@db.example/tracker', 'DATABASE_URL must start with postgresql:// or postgres://.'],
  ['db.example', 'DATABASE_URL must start with postgresql:// or postgres://.'],
  ['postgresql://ann:secret%@db.example/tracker', UNREADABLE],
  ['postgresql://ann:secret%zz@db.example/tracker', UNREADABLE],
  ['postgresql://ann:secret#1@db.example/tracker', UNREADABLE],
  ['postgresql://ann:1#secret@db.example/tracker', UNREADABLE],
  ['postgresql://ann:secret/1@db.example/tracker', UNREADABLE],
  ['postgresql://ann:1/secret@db.example/tracker', UNREADABLE],
  ['postgresql://ann:secret?1@db.example/tracker', UNREADABLE],
  ['postgresql://ann:1?secret@db.example/tracker', UNREADABLE],
  [`${AT}?pgbouncer=true`, 'DATABASE_URL has pgbouncer=true, so it belongs to a pooler'],
  [`${AT}?sslmode=on`, 'DATABASE_URL has the sslmode "on". Set it to disable, prefer,'],
  [`${AT}?schema=x`, 'DATABASE_URL has the parameter "schema", which the tracker doesn\'t know. Remove it.'],
  [
    `${AT}?sslmode=verify-full&sslrootcert=/no/file`,
    "the sslrootcert /no/file, which can't be read (ENOENT).",
  ],
])('rejects %s without printing the password', (url, message) => {
  expect(() => readConnectionUrl(url)).toThrow(message)
  expect(() => readConnectionUrl(url)).not.toThrow('secret')
})
