// Runs a fake Ride with GPS in its own process, because the real service doesn't share a CPU with the database.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
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
  close(): Promise<void>
}

/** Serves an account with the sample's rides, repeated as needed. */
export async function serveRides(account: Account): Promise<RideServer> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(account)])
  const [url] = (await once(child, 'message')) as [string]
  return {
    url,
    async sentBytes() {
      child.send('sentBytes')
      const [bytes] = (await once(child, 'message')) as [number]
      return bytes
    },
    async close() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

// Ride with GPS also sends fields that the tracker doesn't read. This padding brings a trip to 1.28 kB and a user to 40 kB.
const UNREAD = 'x'.repeat(750)
const UNREAD_OF_USER = 'x'.repeat(39_800)

if (process.argv[1] === import.meta.filename) {
  const { rides, latency } = JSON.parse(process.argv[2]!) as Account
  const server = await startRideWithGps()
  const sample = sampleTrips(new Date('2026-06-01T00:00:00Z'))
  server.behavior.trips = Array.from({ length: rides }, (_, index) => ({
    ...sample[index % sample.length],
    id: 1 + index,
    unread: UNREAD,
  }))
  server.behavior.gear = [{ id: 1, nickname: 'Road', unread: UNREAD_OF_USER }]
  server.behavior.hold = () => sleep(latency)
  process.on('message', () => process.send!(server.sentBytes))
  // The benchmark failed or was killed.
  process.on('disconnect', () => process.exit())
  process.send!(server.url)
}
