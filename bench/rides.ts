// Measures the ride list and the timeline in a real browser with 20,000 rides and 500 items on one bike.
import type { Page, Request } from '@playwright/test'
import { launchBrowser } from '../scripts/browser.ts'
import { signIn } from '../tests/browser/sign-in.ts'
import { middle, report } from './measure.ts'
import { addPainted, timeEvent, timeOpening } from './paint.ts'
import { OWNER, startWith } from './stack.ts'

const COUNT = 20_000
const RUNS = 7
const SEARCH = ['m', 'o', 'r', 'n', 'i', 'n', 'g']

const LARGE = { gear: 1, name: 'Everyday' }
const SMALL = { gear: 2, name: 'Sunday' }

const BIKES = `
  insert into public.bikes values (${LARGE.gear}, '${LARGE.name}'), (${SMALL.gear}, '${SMALL.name}');
  ${insertRides(LARGE.gear, COUNT)};
  ${insertRides(SMALL.gear, 20)};
  insert into public.maintenance ("bikeId", type, name, "dateStarted", "dateEnded")
  select ${LARGE.gear}, (array['Frame', 'Wheels', 'Tires', 'Drivetrain', 'Brakes', null])[1 + n % 6], 'Part ' || n % 60,
    date '2009-01-01' + n * 13 + time '01:00', case when n % 11 > 0 then date '2009-01-31' + n * 13 + n * 31 % 700 + time '01:00' end
  from generate_series(1, 500) as n`

function insertRides(gear: number, count: number): string {
  return `
  insert into public.rides (id, name, gear_id, created_at, departed_at, time_zone, distance, duration, moving_time,
    max_speed, avg_speed, avg_hr, max_hr, avg_watts, max_watts, avg_cad, elevation_gain, has_map)
  select ${gear} * 1000000 + n,
    (array['Morning Ride', 'Evening Ride', 'Coffee and hills', 'Über den Gotthard', 'To work', 'Ride'])[1 + n % 6] || ' ' || n * 7919 % ${count},
    ${gear}, now() - n * interval '8 hours', now() - n * interval '8 hours', 'America/Los_Angeles',
    5000 + n * 7919 % 90000 + 0.1, 1200 + n * 31 % 15000, 1000 + n * 31 % 12000, 30 + n % 40, 15 + n % 20,
    case when n % 5 > 0 then 110 + n % 50 end, case when n % 5 > 0 then 150 + n % 40 end, 120 + n % 100,
    case when n % 3 > 0 then 300 + n % 500 end, case when n % 4 > 0 then 70 + n % 25 end, n * 13 % 1500, n % 8 > 0
  from generate_series(1, ${count}) as n`
}

export async function rides(): Promise<void> {
  console.log(`\nRide list: ${COUNT.toLocaleString('en-US')} rides of one bike`)
  await using stack = await startWith(BIKES)
  await using browser = await launchBrowser()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await addPainted(page)
  await page.goto(`${stack.url}/#bike=${SMALL.gear}&tab=rides`)
  await signIn(page, OWNER)
  await page.getByRole('table').waitFor()
  await measureLoading(page)
  await measurePaints(page)
  await measureTimeline(page)
}

/** Reloads, selects a bike, and times its first rides and the complete list. */
async function measureLoading(page: Page): Promise<void> {
  const [first, all, bytes]: [number[], number[], number[]] = [[], [], []]
  for (let run = 0; run < RUNS; run++) {
    await page.getByRole('button', { name: SMALL.name }).click()
    await page.reload()
    await page.getByRole('table').waitFor()
    const sizes: Promise<number>[] = []
    const addSize = (request: Request) => {
      if (request.url().includes('/rest/v1/rides')) sizes.push(bodySize(request))
    }
    page.on('requestfinished', addSize)
    const started = performance.now()
    await page.getByRole('button', { name: LARGE.name }).click()
    await page.locator(`a[href*="/trips/${LARGE.gear}0"]`).first().waitFor()
    first.push(performance.now() - started)
    await page.locator(`table[aria-rowcount="${COUNT + 2}"][aria-busy="false"]`).waitFor()
    all.push(performance.now() - started)
    page.off('requestfinished', addSize)
    bytes.push((await Promise.all(sizes)).reduce((total, size) => total + size, 0))
  }
  report('selecting a bike to its first rows', middle(first), 'ms')
  report('selecting a bike to all its rides', middle(all), 'ms')
  report('compressed size of all rides', middle(bytes) / 1e6, 'MB', 1.3)
}

async function bodySize(request: Request): Promise<number> {
  return (await request.sizes()).responseBodySize
}

async function measurePaints(page: Page): Promise<void> {
  report('rows in the document', await page.locator('tr').count(), 'rows', 80)
  const time = async (type: string, act: () => Promise<unknown>) => {
    const milliseconds = await timeEvent(page, type, act)
    // Wait for work deferred until after the paint, so it doesn't slow down the next measurement.
    await page.waitForTimeout(300)
    return milliseconds
  }

  const header = page.getByRole('columnheader', { name: 'Distance', exact: true }).getByRole('button')
  const sorts: number[] = []
  for (let run = 0; run <= RUNS; run++) sorts.push(await time('click', () => header.click()))
  report('a sort to the next paint', middle(sorts.slice(1)), 'ms', 100)

  await page.locator('input[type=search]').focus()
  const keys: number[] = []
  for (const key of [...SEARCH, ...SEARCH.map(() => 'Backspace')])
    keys.push(await time('keydown', () => page.keyboard.press(key)))
  report('a key in the search to the next paint', middle(keys), 'ms', 50)
}

/** Times reloads until the first log entry is painted, in the table and in the timeline. */
async function measureTimeline(page: Page): Promise<void> {
  const times: Record<string, number[]> = { table: [], timeline: [] }
  for (let run = 0; run <= RUNS; run++) {
    for (const [view, list] of Object.entries(times)) {
      await page.evaluate((hash) => (window.location.hash = hash), `bike=${LARGE.gear}&view=${view}`)
      const reload = () => page.reload({ waitUntil: 'commit' })
      const time = await timeOpening(page, reload, '[data-item], [data-key^="item-"]')
      // The first run fills the caches.
      if (run > 0) list.push(time)
      await page.getByText(/^Total Miles [\d,]+/).waitFor()
    }
  }
  const [table, timeline] = [middle(times.table!), middle(times.timeline!)]
  report('a reload to the first of 500 entries in the table', table, 'ms')
  report('  in the timeline', timeline, 'ms')
  report('  more than in the table', timeline - table, 'ms', 150)
}
