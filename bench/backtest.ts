// `npm run backtest`: compares forecasts for generated riders with their actual rides and with the pace of the last 90 days.
import {
  backtest,
  daysAtPace,
  hasEnoughChecks,
  MAX_WINDOW_DAYS,
  type Outcome,
  PAD_METERS,
  sumDays,
  type Sums,
  YEAR,
} from '../supabase/functions/_shared/forecast.ts'
import { METERS_PER_MILE } from '../supabase/functions/_shared/units.ts'
import { middle, report } from './measure.ts'

const AMOUNTS = [300, 1000, 2500]
const YEARS = 8
const SEEDS = 5

/** Returns a day's miles. `random` returns numbers from 0 to 1. */
type Rider = (day: number, random: () => number) => number

const season = (day: number) => 0.5 - 0.45 * Math.cos((2 * Math.PI * (day - 15)) / 365)
const length = (typical: number, random: () => number) => typical * (0.5 + random() ** 2 * 1.8)
/** Interpolates from one value to another over a year, starting on day 1,100. */
const between = (day: number, from: number, to: number) =>
  from + (to - from) * Math.min(1, Math.max(0, (day - 1100) / 365))
const isWeekend = (day: number) => day % 7 >= 5

/** Riders with different habits. `historyOf` also varies their weeks. */
const RIDERS: Record<string, Rider> = {
  steady: (_day, random) => (random() < 0.4 ? length(22, random) : 0),
  seasonal: (day, random) => (random() < 0.7 * season(day) ? length(28, random) : 0),
  commuter: (day, random) => (random() < (isWeekend(day) ? 0.1 : 0.8) ? length(9, random) : 0),
  'injured for half a year': (day, random) =>
    day > 1000 && day < 1182 ? 0 : random() < 0.35 ? length(25, random) : 0,
  'new bike': (day, random) => (day < 1200 ? 0 : random() < 0.3 ? length(30, random) : 0),
  'three times as much': (day, random) => (random() < between(day, 0.15, 0.45) ? length(24, random) : 0),
  'less and less': (day, random) => (random() < between(day, 0.4, 0) ? length(22, random) : 0),
  'rests in winter': (day, random) => (season(day) < 0.3 ? 0 : random() < 0.4 ? length(26, random) : 0),
  'stopped for good': (day, random) => (day < 1900 && random() < 0.35 ? length(24, random) : 0),
  'stopped, with rare rides': (day, random) =>
    random() < (day < 1900 ? 0.35 : 0.04) ? length(24, random) : 0,
  'few rides': (_day, random) => (random() < 0.06 ? length(30, random) : 0),
}

/** Creates a seeded generator of numbers from 0 to 1 (mulberry32), so every run prints the same table. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a rider's running daily sums from the first ride on. Weeks vary by weather, work and form. */
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

interface ShownForecast extends Outcome {
  hasRange: boolean
  /** Days to reach the amount at the pace of the last 90 days. */
  pace: number
}

/** Returns the forecasts that the tracker would have shown. Skips the last two years, because their outcome isn't known yet. */
function forecasts(sums: Sums, amount: number): ShownForecast[] {
  return backtest(sums, amount, PAD_METERS)
    .filter(({ at, range }) => at <= sums.length - 2 - MAX_WINDOW_DAYS && range.likely <= YEAR)
    .map((outcome) => {
      const known = sums.subarray(0, outcome.at + 2)
      return Object.assign(outcome, {
        hasRange: hasEnoughChecks(known, amount, PAD_METERS),
        pace: daysAtPace(known, outcome.at, amount)!,
      })
    })
}

interface Result {
  coverage: number
  /** The share of forecasts with a range. */
  shown: number
  /** The share of the ranges without an upper end. */
  open: number
  error: number
  paceError: number
}

const factor = (forecast: number, days: number) => Math.max(forecast / days, days / forecast)

function compare(known: ShownForecast[]): Result {
  const shown = known.filter(({ hasRange }) => hasRange)
  return {
    coverage: shown.filter(({ held }) => held).length / shown.length,
    shown: shown.length / known.length,
    open: shown.filter(({ range }) => range.late === Infinity).length / shown.length,
    error: middle(known.map(({ range, days }) => factor(range.likely, days ?? Infinity))),
    paceError: middle(known.map(({ pace, days }) => factor(pace, days ?? Infinity))),
  }
}

function backtestRiders(): Record<string, Result> {
  const riders = Object.entries(RIDERS).map(([name, rider]) => ({
    name,
    known: Array.from({ length: SEEDS }, (_, seed) => historyOf(rider, seed + 1)).flatMap((sums) =>
      AMOUNTS.flatMap((miles) => forecasts(sums, miles * METERS_PER_MILE)),
    ),
  }))
  return Object.fromEntries([
    ...riders.map(({ name, known }) => [name, compare(known)]),
    ['all riders', compare(riders.flatMap(({ known }) => known))],
  ]) as Record<string, Result>
}

export function printBacktest(): void {
  console.log(`\nForecast: ${AMOUNTS.join(', ')} mi, ${SEEDS} riders of each kind, ${YEARS} years`)
  for (const [name, { coverage, shown, open, error, paceError }] of Object.entries(backtestRiders())) {
    const isAll = name === 'all riders'
    report(`${name}: the range held`, coverage * 100, '%', isAll ? 92 : undefined)
    if (isAll) report('  the range missed', 100 - coverage * 100, '%', 30)
    report('  forecasts with a range', shown * 100, '%')
    report('  ranges without an end', open * 100, '%')
    report('  median error', error, '×', isAll ? paceError : undefined)
    report('  median error at the pace of 90 days', paceError, '×')
  }
}

if (import.meta.main) printBacktest()
