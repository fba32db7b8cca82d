import assert from 'node:assert/strict'
import { recordLog } from '../../_shared/testing.ts'
import { createGet, type Transport } from './get.ts'
import { never } from './testing.ts'

const { log, lines } = recordLog()

const transport: Transport = {
  fetch,
  sleep: () => Promise.resolve(),
  random: () => 0,
  now: Date.now,
  requestTimeout: 100,
  log,
}

async function getFromServer(respond: (connection: Deno.TcpConn) => Promise<unknown>, signal = never) {
  using listener = Deno.listen({ hostname: '127.0.0.1', port: 0 })
  const connections: Deno.TcpConn[] = []
  const serving = (async () => {
    for await (const connection of listener) {
      connections.push(connection)
      await respond(connection).catch(() => undefined)
    }
  })().catch(() => undefined)
  let retries = 0
  const sleep = () => Promise.resolve(void (retries += 1))
  const get = createGet(`http://127.0.0.1:${listener.addr.port}`, { ...transport, sleep })
  const result = await get('a.json', {}, signal)
  listener.close()
  await serving
  for (const connection of connections) {
    try {
      connection.close()
    } catch {
      // The response has already closed the connection.
    }
  }
  return { result, connections: connections.length, retries }
}

const write = (connection: Deno.TcpConn, text: string) => connection.write(new TextEncoder().encode(text))

Deno.test('times out without a retry if the server never responds', async () => {
  const { result, retries } = await getFromServer(() => Promise.resolve())
  assert.deepEqual([result, retries], [{ ok: false, code: 'rwgps_timeout' }, 0])
})

Deno.test('times out if the response arrives byte by byte', async () => {
  const { result } = await getFromServer(async (connection) => {
    await write(
      connection,
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n',
    )
    for (let sent = 0; sent < 30; sent += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      await write(connection, ' ')
    }
  })
  assert.deepEqual(result, { ok: false, code: 'rwgps_timeout' })
})

Deno.test('the time limit of the sync also ends a request', async () => {
  lines.length = 0
  const { result } = await getFromServer(() => Promise.resolve(), AbortSignal.timeout(10))
  assert.deepEqual(result, { ok: false, code: 'rwgps_timeout' })
  assert.equal(lines.length, 1)
})

Deno.test('does not log an aborted request', async () => {
  lines.length = 0
  const over = new AbortController()
  setTimeout(() => over.abort(), 10)
  await getFromServer(() => Promise.resolve(), over.signal)
  assert.deepEqual(lines, [])
})

// Deno may retry immediately when a connection closes without a response, so the tests count only our own retries.
Deno.test('retries a connection that closes before or during the response', async () => {
  for (const start of ['', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"results":']) {
    const { result, retries } = await getFromServer(async (connection) => {
      await connection.read(new Uint8Array(4096))
      await write(connection, start)
      connection.close()
    })
    assert.deepEqual([result, retries], [{ ok: false, code: 'rwgps_unreachable' }, 3])
  }
})

Deno.test('a refused connection is unreachable', async () => {
  const listener = Deno.listen({ hostname: '127.0.0.1', port: 0 })
  const { port } = listener.addr
  listener.close()
  const result = await createGet(`http://127.0.0.1:${port}`, transport)('a.json', {}, never)
  assert.deepEqual(result, { ok: false, code: 'rwgps_unreachable' })
})

Deno.test('does not follow redirects', async () => {
  const { result, connections } = await getFromServer((connection) =>
    write(connection, 'HTTP/1.1 302 Found\r\nLocation: /elsewhere.json\r\nContent-Length: 0\r\n\r\n'),
  )
  assert.deepEqual(result, { ok: false, code: 'rwgps_bad_answer' })
  assert.equal(connections, 1)
})
