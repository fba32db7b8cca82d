// The list of rides with 20,000 rides on one bike, in a real browser, against a plain table of the same rides.
import { chromium, type Page, type Request } from '@playwright/test'
import { findBrowser } from '../scripts/browser.ts'
import { signIn } from '../tests/browser/sign-in.ts'
import { signIn as signInOwner } from '../tests/owner.ts'
import { middle, report } from './measure.ts'
import { scrollFrames, timeToPaint, watchPaints } from './paint.ts'
import { openPlainTable } from './plain-table.ts'
import { LONG, ridesOfTwoBikes, SHORT } from './rides-of-two-bikes.ts'
import { OWNER, startWith } from './stack.ts'

const COUNT = 20_000
const RUNS = 7
/** The plain table takes its time. */
const PLAIN_RUNS = 3
const SEARCH = ['m', 'o', 'r', 'n', 'i', 'n', 'g']
const DISTANCE = 3

export async function rides(): Promise<void> {
  console.log(`\nThe list of rides: ${COUNT.toLocaleString('en-US')} rides of one bike`)
  const stack = await startWith(ridesOfTwoBikes(COUNT))
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await openRides(page, stack.url)
    await choosing(page)
    const plain = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await openPlainTable(plain, await readRows(stack.url), DISTANCE)
    await comparing(page, plain)
  } finally {
    await browser.close()
    await stack.stop()
  }
}

async function openRides(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/#bike=${SHORT.gear}&tab=rides`)
  await signIn(page, OWNER)
  await page.getByRole('table').waitFor()
}

/** From pressing a bike's button to its first rides, and to all of them; nothing of it is in memory before. */
async function choosing(page: Page): Promise<void> {
  const [first, all, bytes]: [number[], number[], number[]] = [[], [], []]
  for (let run = 0; run < RUNS; run++) {
    await page.getByRole('button', { name: SHORT.name }).click()
    await page.reload()
    await page.getByRole('table').waitFor()
    const sizes: Promise<number>[] = []
    const weigh = (request: Request) => {
      if (request.url().includes('/rest/v1/rides')) sizes.push(bodySize(request))
    }
    page.on('requestfinished', weigh)
    const started = performance.now()
    await page.getByRole('button', { name: LONG.name }).click()
    await page.locator(`a[href*="/trips/${LONG.gear}0"]`).first().waitFor()
    first.push(performance.now() - started)
    await page.locator(`table[aria-rowcount="${COUNT + 2}"][aria-busy="false"]`).waitFor()
    all.push(performance.now() - started)
    page.off('requestfinished', weigh)
    bytes.push((await Promise.all(sizes)).reduce((total, size) => total + size, 0))
  }
  report('from choosing a bike to its first rows', middle(first), 'ms')
  report('from choosing a bike to all its rides', middle(all), 'ms')
  report('bytes for each ride, as they are sent here (uncompressed)', middle(bytes) / COUNT, 'B')
}

async function bodySize(request: Request): Promise<number> {
  return (await request.sizes()).responseBodySize
}

async function comparing(page: Page, plain: Page): Promise<void> {
  report('rows in the document', await page.locator('tr').count(), 'rows', 80)
  report('  of the plain table', await plain.locator('tr').count(), 'rows')
  await Promise.all([watchPaints(page), watchPaints(plain)])

  const header = page.getByRole('columnheader', { name: 'Distance', exact: true }).getByRole('button')
  const sort = await medianPaint(page, () => header.click())
  const plainSort = await medianPaint(plain, () => plain.getByRole('button').click(), PLAIN_RUNS)
  report('a sort to the next paint', sort, 'ms', 100)
  report('  of the plain table', plainSort, 'ms')
  report('  against it', sort / plainSort, '×', 0.2)

  const key = await typing(page, 'input[type=search]')
  const plainKey = await typing(plain, 'input')
  report('a key in the search to the next paint', key, 'ms', 50)
  report('  of the plain table', plainKey, 'ms')

  const frames = await scrollFrames(page, '[aria-label="Rides table"]', 240)
  const plainFrames = await scrollFrames(plain, '#scroller', 240)
  report('a frame while scrolling, p95', percentile(frames, 0.95), 'ms')
  report('  of the plain table', percentile(plainFrames, 0.95), 'ms')
}

async function medianPaint(page: Page, act: () => Promise<unknown>, runs = RUNS): Promise<number> {
  await page.bringToFront()
  const times: number[] = []
  for (let run = 0; run <= runs; run++) times.push(await timeToPaint(page, act))
  return middle(times.slice(1))
}

/** Types a word and deletes it again, key by key. */
async function typing(page: Page, field: string): Promise<number> {
  await page.bringToFront()
  await page.locator(field).focus()
  const times: number[] = []
  for (const key of [...SEARCH, ...SEARCH.map(() => 'Backspace')]) {
    times.push(await timeToPaint(page, () => page.keyboard.press(key)))
  }
  return middle(times)
}

const COLUMNS =
  'id, name, gear_id, distance, duration, moving_time, max_speed, avg_speed, avg_hr, max_hr, avg_watts, max_watts, avg_cad, elevation_gain'

/** The rides as the plain table shows them. */
async function readRows(url: string): Promise<string[][]> {
  const owner = await signInOwner(url, OWNER)
  const rows: string[][] = []
  for (let start = 0; start < COUNT; start += 1000) {
    const { data } = await owner
      .from('rides')
      .select(COLUMNS)
      .eq('gear_id', LONG.gear)
      .order('id')
      .range(start, start + 999)
    rows.push(...data!.map((ride) => Object.values(ride).map(String)))
  }
  return rows
}

function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * part)]!
}
