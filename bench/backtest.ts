// `npm run backtest`: the forecast against what really happened, on generated riders, next to the pace of the last 90 days.
import {
  backtest,
  daysAtPace,
  type Outcome,
  PAD_METERS,
  sumDays,
  type Sums,
} from '../supabase/functions/_shared/forecast.ts'
import { METERS_PER_MILE } from '../supabase/functions/_shared/units.ts'
import { middle, report } from './measure.ts'

const AMOUNTS = [300, 1000]
const YEARS = 6
const SEEDS = 5

/** Miles of a day. `random` is from 0 to 1. */
type Rider = (day: number, random: () => number) => number

const season = (day: number) => 0.5 - 0.45 * Math.cos((2 * Math.PI * (day - 15)) / 365)
const length = (typical: number, random: () => number) => typical * (0.5 + random() ** 2 * 1.8)
const isWeekend = (day: number) => day % 7 >= 5

/** Riders who change: each habit comes on top of weeks that are busier or quieter than usual. */
const RIDERS: Record<string, Rider> = {
  steady: (_day, random) => (random() < 0.4 ? length(22, random) : 0),
  seasonal: (day, random) => (random() < 0.7 * season(day) ? length(28, random) : 0),
  commuter: (day, random) => (random() < (isWeekend(day) ? 0.1 : 0.8) ? length(9, random) : 0),
  'injured for half a year': (day, random) =>
    day > 1000 && day < 1182 ? 0 : random() < 0.35 ? length(25, random) : 0,
  'new bike': (day, random) => (day < 1200 ? 0 : random() < 0.3 ? length(30, random) : 0),
}

/** A generator of numbers from 0 to 1 (mulberry32), so every run prints the same table. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The sums of a rider whose weeks vary by weather, work and form, from the first ride on. */
function historyOf(rider: Rider, seed: number): Sums {
  const random = createRandom(seed)
  let form = 1
  const miles = Array.from({ length: YEARS * 365 }, (_, day) => {
    if (day % 7 === 0) form = Math.min(1.8, Math.max(0.3, 1 + 0.85 * (form - 1) + (random() - 0.5) * 0.7))
    return rider(day, random) * form
  })
  return sumDays(
    miles.slice(miles.findIndex((distance) => distance > 0)).map((distance) => distance * METERS_PER_MILE),
  )
}

interface Result {
  coverage: number
  error: number
  paceError: number
}

/** By which factor a forecast was off. */
const factor = (forecast: number, days: number) => Math.max(forecast / days, days / forecast)

/** How often the range held, and by which factor the likely date and the pace were off. */
function compare(runs: { sums: Sums; amount: number; outcomes: Outcome[] }[]): Result {
  const known = runs.flatMap(({ sums, amount, outcomes }) =>
    outcomes.flatMap(({ at, range, days }) =>
      days === null ? [] : [{ range, days, pace: daysAtPace(sums, at, amount)! }],
    ),
  )
  return {
    coverage:
      known.filter(({ range, days }) => days >= range.early && days <= range.late).length / known.length,
    error: middle(known.map(({ range, days }) => factor(range.likely, days))),
    paceError: middle(known.map(({ pace, days }) => factor(pace, days))),
  }
}

function backtestRiders(): Record<string, Result> {
  const runs = Object.entries(RIDERS).map(([name, rider]) => ({
    name,
    runs: Array.from({ length: SEEDS }, (_, seed) => historyOf(rider, seed + 1)).flatMap((sums) =>
      AMOUNTS.map((miles) => {
        const amount = miles * METERS_PER_MILE
        return { sums, amount, outcomes: backtest(sums, amount, PAD_METERS) }
      }),
    ),
  }))
  return Object.fromEntries([
    ...runs.map(({ name, runs }) => [name, compare(runs)]),
    ['all riders', compare(runs.flatMap(({ runs }) => runs))],
  ]) as Record<string, Result>
}

export function printBacktest(): void {
  console.log(`\nForecast: ${AMOUNTS.join(' and ')} mi, ${SEEDS} riders of each kind, ${YEARS} years`)
  for (const [name, { coverage, error, paceError }] of Object.entries(backtestRiders())) {
    const isAll = name === 'all riders'
    report(`${name}: the range held`, coverage * 100, '%', isAll ? 92 : undefined)
    report('  median error', error, '×', isAll ? paceError : undefined)
    report('  median error at the pace of 90 days', paceError, '×')
    if (isAll) report('  the range missed', 100 - coverage * 100, '%', 30)
  }
}

if (import.meta.main) printBacktest()
