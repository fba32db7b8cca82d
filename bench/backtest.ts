// `npm run backtest`: compares forecasts for generated riders with their actual rides and with the pace of the last 90 days.
import {
  backtest,
  daysAtPace,
  goalOf,
  hasEnoughChecks,
  type Outcome,
  PAD_METERS,
} from '../supabase/functions/_shared/forecast.ts'
import {
  daysUntil,
  MAX_WINDOW_DAYS,
  sumDays,
  type Sums,
  YEAR,
} from '../supabase/functions/_shared/forecast-windows.ts'
import { METERS_PER_MILE } from '../supabase/functions/_shared/units.ts'
import { middle, report } from './measure.ts'

const AMOUNTS = [300, 1000, 2500]
const YEARS = 8
/** Two groups of ten riders of each kind. */
const SEEDS = [0, 1].map((group) => Array.from({ length: 10 }, (_, index) => group * 10 + index + 1))

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
  'seasonal, 3,000 miles a year': (day, random) => (random() < 0.545 * season(day) ? length(28, random) : 0),
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
  /** Whether the amount never took much longer than a year, before and after the forecast. */
  isYearly: boolean
  group: number
}

/** Returns whether the amount was ridden within 400 days from any day on. */
function isYearly(sums: Sums, amount: number): boolean {
  const last = sums.length - 2
  return Array.from({ length: last - 400 }, (_, day) => daysUntil(sums, day, amount, last)).every(
    (days) => days !== null && days <= 400,
  )
}

/** Returns the forecasts that the tracker would have shown. Skips the last two years, because their outcome isn't known yet. */
function forecasts(sums: Sums, amount: number, group: number): ShownForecast[] {
  const yearly = isYearly(sums, amount)
  return backtest(goalOf(sums, amount, PAD_METERS))
    .filter(({ at, range }) => at <= sums.length - 2 - MAX_WINDOW_DAYS && range.likely <= YEAR)
    .map((outcome) => {
      const known = sums.subarray(0, outcome.at + 2)
      return Object.assign(outcome, {
        hasRange: hasEnoughChecks(goalOf(known, amount, PAD_METERS)),
        pace: daysAtPace(known, outcome.at, amount)!,
        isYearly: yearly,
        group,
      })
    })
}

interface Result {
  coverage: number
  /** The coverage of each group of riders. */
  groups: number[]
  /** The share of forecasts with a range. */
  shown: number
  /** The share of the ranges without an upper end. */
  open: number
  /** The same share, for amounts that never took much longer than a year. */
  openYearly: number
  /** The median of `late` divided by `early`. */
  width: number
  error: number
  paceError: number
}

const factor = (forecast: number, days: number) => Math.max(forecast / days, days / forecast)
const isOpen = ({ range }: ShownForecast) => range.late === Infinity
const share = (all: ShownForecast[], has: (forecast: ShownForecast) => boolean) =>
  all.length === 0 ? 0 : all.filter(has).length / all.length

function compare(known: ShownForecast[]): Result {
  const shown = known.filter(({ hasRange }) => hasRange)
  const coverage = (all: ShownForecast[]) => share(all, ({ held }) => held === true)
  return {
    coverage: coverage(shown),
    groups: SEEDS.map((_, index) => coverage(shown.filter(({ group }) => group === index))),
    shown: shown.length / known.length,
    open: share(shown, isOpen),
    openYearly: share(
      shown.filter((forecast) => forecast.isYearly),
      isOpen,
    ),
    width: middle(shown.map(({ range }) => range.late / range.early)),
    error: middle(known.map(({ range, days }) => factor(range.likely, days ?? Infinity))),
    paceError: middle(known.map(({ pace, days }) => factor(pace, days ?? Infinity))),
  }
}

function backtestRiders(): Record<string, Result> {
  const riders = Object.entries(RIDERS).map(([name, rider]) => ({
    name,
    known: SEEDS.flatMap((seeds, group) =>
      seeds.flatMap((seed) => {
        const sums = historyOf(rider, seed)
        return AMOUNTS.flatMap((miles) => forecasts(sums, miles * METERS_PER_MILE, group))
      }),
    ),
  }))
  return Object.fromEntries([
    ...riders.map(({ name, known }) => [name, compare(known)]),
    ['all riders', compare(riders.flatMap(({ known }) => known))],
  ]) as Record<string, Result>
}

export function printBacktest(): void {
  console.log(
    `\nForecast: ${AMOUNTS.join(', ')} mi, ${SEEDS.flat().length} riders of each kind, ${YEARS} years`,
  )
  for (const [name, result] of Object.entries(backtestRiders())) {
    const isAll = name === 'all riders'
    report(`${name}: the range held`, result.coverage * 100, '%', isAll ? 92 : undefined)
    for (const [index, held] of result.groups.entries()) report(`  group ${index + 1}`, held * 100, '%')
    if (isAll) report('  the range missed', 100 - result.coverage * 100, '%', 30)
    report('  forecasts with a range', result.shown * 100, '%')
    report('  ranges without an end', result.open * 100, '%')
    report('  … for an amount that is ridden every year', result.openYearly * 100, '%', isAll ? 1 : undefined)
    report('  median of late ÷ early', result.width, '×')
    report('  median error', result.error, '×', isAll ? result.paceError : undefined)
    report('  median error at the pace of 90 days', result.paceError, '×')
  }
}

if (import.meta.main) printBacktest()
