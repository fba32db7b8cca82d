// The maintenance log with 500 parts, typed into in a real browser against the embedded stack.
import { chromium, type Page } from '@playwright/test'
import { findBrowser } from '../scripts/browser.ts'
import { signIn } from '../tests/browser/sign-in.ts'
import { signIn as signInOwner } from '../tests/owner.ts'
import { start, temporaryFolder } from '../tests/running.ts'
import { middle, report } from './measure.ts'

const PARTS = 500
const BIKE = 'Warbird'
const RUNS = 9

export async function log(): Promise<void> {
  console.log(`\nThe log in a browser: ${PARTS} parts of one bike`)
  const { folder, remove } = await temporaryFolder()
  const stack = await start({ TRACKER_DATA_DIR: folder })
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
  })
  try {
    await fill(stack.url)
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(stack.url)
    await signIn(page)
    await measure(page)
  } finally {
    await browser.close()
    await stack.stop()
    await remove()
  }
}

async function fill(url: string): Promise<void> {
  const owner = await signInOwner(url)
  const { data: bike } = await owner.from('bikes').select('gear_id').eq('name', BIKE).single()
  await owner.from('maintenance').delete().eq('bikeId', bike!.gear_id)
  const parts = Array.from({ length: PARTS }, (_, index) => ({
    bikeId: bike!.gear_id,
    type: index % 3 === 0 ? 'Drivetrain' : null,
    name: `Part ${index}`,
    description: `The ${index}th of them`,
    cost: index,
    dateStarted: `20${10 + (index % 14)}-06-15 01:00:00`,
  }))
  const { error } = await owner.from('maintenance').insert(parts)
  if (error) throw error
}

async function measure(page: Page): Promise<void> {
  const bike = page.getByRole('button', { name: BIKE, exact: true })
  const other = page.getByRole('button', { name: 'Hardtail', exact: true })
  await bike.click()
  await page.getByRole('row').nth(PARTS).waitFor()
  // Found by place: a search for roles takes longer than what is measured.
  const name = page.locator('tbody tr:nth-child(250) input').first()

  await name.click()
  const presses = await timesOf(RUNS * 3, async () => {
    const painted = await clock(page, 'keydown', { selector: '[data-dirty]', from: 1, to: 1 })
    await name.press('x')
    return painted()
  })
  report('a key press in a cell, until it is painted', middle(presses), 'ms', 100)
  await name.press('Escape')

  const saves = await timesOf(RUNS, async (run) => {
    await name.fill(`Part, saved ${run}`)
    const clean = await clock(page, 'keydown', { selector: '[data-dirty]', from: 0, to: 0 })
    await name.press('Enter')
    return clean()
  })
  report('Enter, until the saved value is read back and painted', middle(saves), 'ms')

  const reopen = async (rows: number) => {
    await other.click()
    await page.getByRole('row').nth(PARTS).waitFor({ state: 'detached' })
    const shown = await clock(page, 'click', { selector: 'tbody tr', from: rows, to: Infinity })
    await bike.click()
    return shown()
  }
  const first = await timesOf(RUNS, () => reopen(20))
  report('choosing the bike, until the log is in sight', middle(first), 'ms')
  const whole = await timesOf(RUNS, () => reopen(PARTS))
  report('choosing the bike, until all rows are painted', middle(whole), 'ms')
}

async function timesOf(runs: number, time: (run: number) => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let run = 0; run < runs; run++) times.push(await time(run))
  return times
}

type Count = { selector: string; from: number; to: number }

/** Measures from the next such event to the end of the first frame with as many such elements as said. */
async function clock(page: Page, event: string, count: Count): Promise<() => Promise<number>> {
  const timing = await page.evaluateHandle(
    ({ event, selector, from, to }) => {
      const isThere = () => {
        const { length } = document.querySelectorAll(selector)
        return from <= length && length <= to
      }
      const ended = new Promise<number>((resolve) => {
        const look = (since: number) =>
          requestAnimationFrame(() =>
            isThere() ? setTimeout(() => resolve(performance.now() - since)) : look(since),
          )
        document.addEventListener(event, ({ timeStamp }) => look(timeStamp), { once: true, capture: true })
      })
      return { ended }
    },
    { event, ...count },
  )
  return () => timing.evaluate(({ ended }) => ended)
}
