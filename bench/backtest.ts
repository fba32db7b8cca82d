// `npm run backtest`: compares forecasts for generated riders with their actual rides and with the pace of the last 90 days.
import {
  backtest,
  daysAtPace,
  goalOf,
  hasEnoughChecks,
  type Outcome,
  PAD_METERS,
} from '../supabase/functions/_shared/service/forecast.ts'
import {
  daysUntil,
  MAX_WINDOW_DAYS,
  sumDays,
  type Sums,
  YEAR,
} from '../supabase/functions/_shared/service/forecast-windows.ts'
import { METERS_PER_MILE } from '../supabase/functions/_shared/formats/units.ts'
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

const factor = (forecast: number, days: number | null) =>
  days === null ? Infinity : Math.max(forecast / days, days / forecast)
const hasHeld = ({ held }: ShownForecast) => held === true
const isOpen = ({ range }: ShownForecast) => range.late === Infinity

/** Prints how forecasts did, next to the limits for all riders. */
function printResult(name: string, known: ShownForecast[], hasLimits: boolean): void {
  const print = (what: string, value: number, unit: string, limit?: number) =>
    report(what, value, unit, hasLimits ? limit : undefined)
  const share = (what: string, all: ShownForecast[], has: (one: ShownForecast) => boolean, limit?: number) =>
    print(what, all.length === 0 ? 0 : (all.filter(has).length / all.length) * 100, '%', limit)
  const shown = known.filter(({ hasRange }) => hasRange)
  share(`${name}: the range held`, shown, hasHeld, 92)
  for (const [group, ofGroup] of Map.groupBy(shown, ({ group }) => group))
    share(`  group ${group + 1}`, ofGroup, hasHeld)
  share('  the range missed', shown, (one) => !hasHeld(one), 30)
  share('  forecasts with a range', known, ({ hasRange }) => hasRange)
  share('  ranges without an end', shown, isOpen)
  const yearly = shown.filter(({ isYearly }) => isYearly)
  share('  … for an amount that is ridden every year', yearly, isOpen, 1)
  print('  median of late ÷ early', middle(shown.map(({ range }) => range.late / range.early)), '×')
  const paceError = middle(known.map(({ pace, days }) => factor(pace, days)))
  print('  median error', middle(known.map(({ range, days }) => factor(range.likely, days))), '×', paceError)
  print('  median error at the pace of 90 days', paceError, '×')
}

/** Prints how often the shown ranges held, per kind of rider, for docs/decisions/forecast.md. */
function printTable(kinds: readonly (readonly [name: string, known: ShownForecast[]])[]): void {
  console.log('\n| rider | ranges | held |\n| --- | --- | --- |')
  for (const [name, known] of kinds) {
    const shown = known.filter(({ hasRange }) => hasRange)
    const held = (shown.filter(hasHeld).length / shown.length) * 100
    console.log(`| ${name} | ${shown.length.toLocaleString('en-US')} | ${held.toFixed(1)} % |`)
  }
}

export function printBacktest(): void {
  console.log(
    `\nForecast: ${AMOUNTS.join(', ')} mi, ${SEEDS.flat().length} riders of each kind, ${YEARS} years`,
  )
  const kinds: [string, ShownForecast[]][] = []
  for (const [name, rider] of Object.entries(RIDERS)) {
    const known = SEEDS.flatMap((seeds, group) =>
      seeds.flatMap((seed) => {
        const sums = historyOf(rider, seed)
        return AMOUNTS.flatMap((miles) => forecasts(sums, miles * METERS_PER_MILE, group))
      }),
    )
    printResult(name, known, false)
    kinds.push([name, known])
  }
  const all = kinds.flatMap(([, known]) => known)
  printResult('all riders', all, true)
  printTable([...kinds, ['all', all]])
}

if (process.argv[1] === import.meta.filename) printBacktest()
