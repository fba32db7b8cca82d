// Runs a fake Ride with GPS in its own thread, because the real service doesn't share a CPU with the database.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { sampleTrips } from '../sample/rider.ts'
import { startRideWithGps } from '../tests/sync/ride-with-gps.ts'

interface Account {
  rides: number
  /** Milliseconds until a response starts. */
  latency: number
}

export interface RideServer {
  url: string
  sentBytes(): Promise<number>
  close(): Promise<unknown>
}

/** Serves an account with the sample's rides, repeated as needed. */
export async function serveRides(account: Account): Promise<RideServer> {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: account })
  const [url] = (await once(worker, 'message')) as [string]
  return {
    url,
    async sentBytes() {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage('sentBytes')
      const [bytes] = (await once(worker, 'message')) as [number]
      return bytes
    },
    close: () => worker.terminate(),
  }
}

// Ride with GPS also sends fields that the tracker doesn't read. This padding brings a trip to 1.28 kB and a user to 40 kB.
const UNREAD = 'x'.repeat(750)
const UNREAD_OF_USER = 'x'.repeat(39_800)

if (parentPort) {
  const { rides, latency } = workerData as Account
  const server = await startRideWithGps()
  const sample = sampleTrips(new Date('2026-06-01T00:00:00Z'))
  server.behavior.trips = Array.from({ length: rides }, (_, index) => ({
    ...sample[index % sample.length],
    id: 1 + index,
    unread: UNREAD,
  }))
  server.behavior.gear = [{ id: 1, nickname: 'Road', unread: UNREAD_OF_USER }]
  server.behavior.hold = () => sleep(latency)
  parentPort.on('message', () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage(server.sentBytes)
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort.postMessage(server.url)
}
