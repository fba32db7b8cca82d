import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { signIn } from './sign-in.ts'

const MB = 2 ** 20

test('reads only the beginning of a long refusal', async () => {
  let sent = 0
  function* refusal() {
    const chunk = Buffer.alloc(MB, 'password ')
    for (; sent < 64 * MB; sent += MB) yield chunk
  }
  const server = createServer((_, response) => {
    Readable.from(refusal()).pipe(response.writeHead(401))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(
    signIn({ RWGPS_BASE_URL: origin }, { apiKey: 'key', email: 'a@b.c', password: 'p' }),
  ).rejects.toThrow(
    `${origin} refused the sign-in. Check the API key, the email and the password. Nothing was changed.`,
  )
  server.close()
  server.closeAllConnections()
  expect(sent).toBeLessThan(32 * MB)
})
