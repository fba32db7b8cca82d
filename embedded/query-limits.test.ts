import { expect, test } from 'vitest'
import { refuseLargeQuery } from './query-limits.ts'

const refusal = (path: string) => refuseLargeQuery(new Request(`http://127.0.0.1/rest/v1/${path}`))

test.each([
  'bikes',
  'bikes?select=gear_id,name',
  'bikes?select=gear_id,maintenance(id,name)',
  'bikes?select=*,maintenance(*),rides(*)',
  'bikes?select=old:maintenance(id),new:maintenance(id)',
  'maintenance?select=cost.sum(),...bikes(name)',
  'a?select=b(c(d(e(id))))',
  'rides?and=(or(id.eq.1,and(id.eq.2,or(id.eq.3,not.and(id.eq.4)))))',
  'rpc/bikes?select=maintenance(*)',
  '%E0%A4?select=maintenance(*)',
])('allows %s', (path) => {
  expect(refusal(path)).toBeUndefined()
})

test.each([
  ['a?select=b(c(d(e(f(id)))))', 'The query embeds more than 4 levels of tables'],
  [
    `a?select=${Array.from({ length: 11 }, (_, n) => `b${n}(id)`).join()}`,
    'embeds tables more than 10 times',
  ],
  ['maintenance?select=bikes(maintenance(id))', 'The query embeds a table in itself'],
  ['bikes?select=maintenance(id,bikes(name))', 'in itself'],
  ['bikes?select=name,maintenance(id,b:bikes!maintenance_bikeId_fkey(maintenance(id)))', 'in itself'],
  ['bikes?select=maintenance(...bikes(*))', 'in itself'],
  ['bikes?select=maintenance(%22bikes%22(*))', 'in itself'],
  ['%62ikes/?select=maintenance(bikes(*))', 'in itself'],
  ['bikes?select=id&select=maintenance(bikes(*))', 'in itself'],
  ['bikes?%73elect=maintenance%28bikes%28*%29%29', 'in itself'],
  [`rides?name=eq.${'a'.repeat(8200)}`, 'The query is longer than 8192 characters'],
])('rejects %s', (path, message) => {
  expect(refusal(path)).toEqual({
    status: 400,
    code: 'PGRST100',
    message: expect.stringContaining(message),
  })
})
