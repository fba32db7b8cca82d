import { expect, test } from 'vitest'
import { answerOrFail } from './request-session.ts'

const fail = ({ status, code }: { status: number; code: string }) => Response.json({ code }, { status })

test.each(['CONNECTION_CLOSED', 'CONNECT_TIMEOUT', 'ECONNRESET', 'ENOENT', '57P01', '57P03'])(
  'answers 503 if the tracker loses its own session with %s',
  async (code) => {
    const lost = async () => Promise.reject(Object.assign(new Error('lost'), { code }))
    const response = await answerOrFail(lost, fail)
    expect([response.status, await response.json()]).toEqual([503, { code: 'PGRST001' }])
  },
)

test('passes on responses and unknown errors', async () => {
  const response = new Response(null, { status: 500 })
  expect(await answerOrFail(async () => response, fail)).toBe(response)
  const unknown = Object.assign(new Error('a bug'), { code: '42601' })
  await expect(answerOrFail(() => Promise.reject(unknown), fail)).rejects.toThrow('a bug')
})
