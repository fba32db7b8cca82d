// `npm run bench [name]`: the numbers that the product holds itself to, each beside a baseline of the same run.
import { lighthouse } from './lighthouse.ts'
import { log } from './log.ts'
import { startTestServer } from '../tests/postgres.ts'
import { rides } from './rides.ts'
import { start } from './start.ts'
import { sync } from './sync.ts'
import { usage } from './usage.ts'

const benches: Record<string, () => Promise<void>> = { start, usage, sync, log, rides, lighthouse }

const stop = await startTestServer()
const wanted = process.argv.slice(2)
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) await bench()
}
await stop()
