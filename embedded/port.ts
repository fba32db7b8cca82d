import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** Returns whether an IP address is only reachable from this machine. */
export const isLoopback = (address: string) => /^(?:::ffff:)?127\.|^::1$/i.test(address)

export const isPortFree = (port: number) =>
  listenBriefly(port).then(
    () => true,
    () => false,
  )

export const freePort = () => listenBriefly(0)

async function listenBriefly(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return address.port
}
