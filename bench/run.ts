// `npm run bench [name …]`: checks the product's performance limits, mostly against baselines from the same run. The last line names
// the benchmarks that fail. `npm run bench -- --against <folder> [name …]` compares with another checkout instead.
import { parseArgs } from 'node:util'
import { startTestServer } from '../tests/postgres.ts'
import { compareWith } from './against.ts'
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

async function checkLimits(names: string[]): Promise<void> {
  const stop = await startTestServer()
  const failed: string[] = []
  for (const name of names) {
    if (!(await keepsLimits(benches[name]!))) failed.push(name)
  }
  await stop()
  if (failed.length === 0) return
  console.log(`\nExceed a limit by more than a third in two of three runs: ${failed.join(', ')}`)
  process.exitCode = 1
}

const { values, positionals } = parseArgs({
  options: { against: { type: 'string' } },
  allowPositionals: true,
})
const unknown = positionals.find((name) => !Object.hasOwn(benches, name))
if (unknown !== undefined)
  throw new Error(`Unknown benchmark: ${unknown}. Use ${Object.keys(benches).join(', ')}.`)
const names = Object.keys(benches).filter((name) => positionals.length === 0 || positionals.includes(name))
if (values.against === undefined) await checkLimits(names)
else await compareWith(values.against, names)
