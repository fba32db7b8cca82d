// `npm run bench [name …]`: checks the product's performance limits, mostly against baselines from the same run. The last line names
// the benchmarks that fail.
import { startTestServer } from '../tests/postgres.ts'
import { api } from './api.ts'
import { printBacktest } from './backtest.ts'
import { checks } from './checks.ts'
import { firstVisit } from './first-visit.ts'
import { keepsLimits } from './measure.ts'
import { lifetimes, service, toCheck, usage } from './queries.ts'
import { memory, start } from './start.ts'
import { rides } from './rides.ts'
import { save } from './save.ts'
import { sync } from './sync.ts'

const benches: Record<string, () => Promise<void> | void> = {
  start,
  memory,
  usage,
  save,
  service,
  api,
  lifetimes,
  'to-check': toCheck,
  backtest: printBacktest,
  sync,
  checks,
  rides,
  'first-visit': firstVisit,
}

const stop = await startTestServer()
const names = process.argv.slice(2)
const failed: string[] = []
for (const [name, bench] of Object.entries(benches)) {
  if (names.length > 0 && !names.includes(name)) continue
  if (!(await keepsLimits(bench))) failed.push(name)
}
await stop()
if (failed.length > 0) {
  console.log(`\nExceed a limit by more than a third in two of three runs: ${failed.join(', ')}`)
  process.exitCode = 1
}
