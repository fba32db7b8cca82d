import { once } from 'node:events'
import { createServer } from 'node:net'

/** Whether a port on this machine is free. */
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
