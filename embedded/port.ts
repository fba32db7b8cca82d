import { once } from 'node:events'
import { createServer } from 'node:net'

/** Returns whether an IP address is only reachable from this machine. */
export const isLoopback = (address: string) => /^(?:::ffff:)?127\.|^::1$/i.test(address)

export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

// Systems give ports from 32768 on to `listen(0)` and to connections, so a port from there might be taken again before it
// is used. Each process counts up from another port.
const FIRST_PORT = 11_000
const PORTS = 21_000
let next = process.pid * 100

export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + (next++ % PORTS)
    if (await isPortFree(port)) return port
  }
}
