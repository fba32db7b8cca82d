import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { answerOrFail, reserveLater } from './request-session.ts'

const fail = ({ status, code }: { status: number; code: string }) => Response.json({ code }, { status })

test.each([
  ['CONNECTION_CLOSED'],
  ['CONNECT_TIMEOUT'],
  ['ECONNRESET'],
  ['ENOENT'],
  ['57P01'],
  ['57P03'],
  // The database doesn't accept connections.
  ['55000', 'FATAL'],
])('answers 503 if the tracker loses its own session with %s', async (code, severity?: string) => {
  const lost = async () => Promise.reject(Object.assign(new Error('lost'), { code, severity }))
  const response = await answerOrFail(lost, fail)
  expect([response.status, await response.json()]).toEqual([503, { code: 'PGRST001' }])
})

test.each([
  ['a full disk', '53100', 507],
  ['a statement that took too long', '57014', 413],
])('replaces the response to %s', async (_, code, status) => {
  const run = () => Promise.reject(Object.assign(new Error('failed'), { code }))
  const sessions = { take: async () => ({ run }) } as unknown as Parameters<typeof reserveLater>[0]
  const answer = async () => {
    await expect(reserveLater(sessions).unsafe('select 1')).rejects.toThrow('failed')
    return new Response(null, { status: 500 })
  }
  const response = await answerOrFail(answer, fail)
  expect([response.status, await response.json()]).toEqual([status, { code }])
})

test('passes on responses and unknown errors', async () => {
  const response = new Response(null, { status: 500 })
  expect(await answerOrFail(async () => response, fail)).toBe(response)
  const unknown = Object.assign(new Error('a bug'), { code: '42601' })
  await expect(answerOrFail(() => Promise.reject(unknown), fail)).rejects.toThrow('a bug')
})

test('prints a refusal as one line without the values of the row', async () => {
  const refused = Object.assign(new Error('duplicate key value\nviolates "maintenance_pkey"'), {
    code: '23505',
    detail: 'Key (id)=(7) already exists.',
    severity: 'ERROR',
  })
  const run = () => Promise.reject(refused)
  const sessions = { take: async () => ({ run }) } as unknown as Parameters<typeof reserveLater>[0]
  await expect(reserveLater(sessions).unsafe('insert')).rejects.toBe(refused)
  expect(inspect(refused)).toBe('A request failed: 23505 duplicate key value violates "maintenance_pkey"')
})
