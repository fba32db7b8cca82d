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

/** Asks a server that treats each connection as it is told; counts the connections, and our pauses before a new try. */
async function askServer(treat: (connection: Deno.TcpConn) => Promise<unknown>, signal = never) {
  using listener = Deno.listen({ hostname: '127.0.0.1', port: 0 })
  const connections: Deno.TcpConn[] = []
  const serving = (async () => {
    for await (const connection of listener) {
      connections.push(connection)
      await treat(connection).catch(() => undefined)
    }
  })().catch(() => undefined)
  let pauses = 0
  const sleep = () => Promise.resolve(void (pauses += 1))
  const get = createGet(`http://127.0.0.1:${listener.addr.port}`, { ...transport, sleep })
  const result = await get('a.json', {}, signal)
  listener.close()
  await serving
  for (const connection of connections) {
    try {
      connection.close()
    } catch {
      // The treatment closed it.
    }
  }
  return { result, attempts: connections.length, pauses }
}

const say = (connection: Deno.TcpConn, text: string) => connection.write(new TextEncoder().encode(text))

Deno.test('a server that never answers is given up in time, and not asked again', async () => {
  const { result, attempts } = await askServer(() => Promise.resolve())
  assert.deepEqual(result, { ok: false, code: 'rwgps_timeout' })
  assert.equal(attempts, 1)
})

Deno.test('an answer that trickles in byte by byte is given up in time', async () => {
  const { result } = await askServer(async (connection) => {
    await say(
      connection,
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n',
    )
    for (let sent = 0; sent < 30; sent += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      await say(connection, ' ')
    }
  })
  assert.deepEqual(result, { ok: false, code: 'rwgps_timeout' })
})

Deno.test('the end of the run ends a request before its own time', async () => {
  lines.length = 0
  const { result } = await askServer(() => Promise.resolve(), AbortSignal.timeout(10))
  assert.deepEqual(result, { ok: false, code: 'rwgps_timeout' })
  assert.equal(lines.length, 1)
})

Deno.test('an answer that nobody wants any more is no failure to tell of', async () => {
  lines.length = 0
  const over = new AbortController()
  setTimeout(() => over.abort(), 10)
  await askServer(() => Promise.resolve(), over.signal)
  assert.deepEqual(lines, [])
})

// Deno itself may ask once more at once when a connection ends without an answer, so our own tries are counted.
Deno.test('a connection that is cut is tried again', async () => {
  const { result, pauses } = await askServer(async (connection) => {
    await connection.read(new Uint8Array(4096))
    connection.close()
  })
  assert.deepEqual(result, { ok: false, code: 'rwgps_unreachable' })
  assert.equal(pauses, 3)
})

Deno.test('a connection that is cut in the middle of an answer is tried again', async () => {
  const { result, pauses } = await askServer(async (connection) => {
    await say(connection, 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"results":')
    connection.close()
  })
  assert.deepEqual(result, { ok: false, code: 'rwgps_unreachable' })
  assert.equal(pauses, 3)
})

Deno.test('a refused connection is unreachable', async () => {
  const listener = Deno.listen({ hostname: '127.0.0.1', port: 0 })
  const { port } = listener.addr
  listener.close()
  const result = await createGet(`http://127.0.0.1:${port}`, transport)('a.json', {}, never)
  assert.deepEqual(result, { ok: false, code: 'rwgps_unreachable' })
})

Deno.test('a redirect is not followed', async () => {
  const { result, attempts } = await askServer((connection) =>
    say(connection, 'HTTP/1.1 302 Found\r\nLocation: /elsewhere.json\r\nContent-Length: 0\r\n\r\n'),
  )
  assert.deepEqual(result, { ok: false, code: 'rwgps_bad_answer' })
  assert.equal(attempts, 1)
})
