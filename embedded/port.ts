import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** Returns whether an IP address is only reachable from this machine. */
export const isLoopback = (address: string) => /^(?:::ffff:)?127\.|^::1$/i.test(address)

export async function isPortFree(port: number): Promise<boolean> {
  const probe = createServer()
  probe.listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
