// A fake Ride with GPS in its own thread, because the real one doesn't share a CPU with the database.
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

/** Serves an account with that many of the sample's rides. */
export async function serveRides(account: Account): Promise<{ url: string; close(): Promise<unknown> }> {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: account })
  const [url] = (await once(worker, 'message')) as [string]
  return { url, close: () => worker.terminate() }
}

// The service also sends forty fields that the tracker doesn't read; this text has about their size.
const UNREAD = 'x'.repeat(700)

if (parentPort) {
  const { rides, latency } = workerData as Account
  const server = await startRideWithGps()
  const sample = sampleTrips(new Date('2026-06-01T00:00:00Z'))
  server.play.trips = Array.from({ length: rides }, (_, index) => ({
    ...sample[index % sample.length],
    id: 1 + index,
    unread: UNREAD,
  }))
  server.play.hold = () => sleep(latency)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort.postMessage(server.url)
}
