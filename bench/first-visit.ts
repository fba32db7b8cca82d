// Measures a phone's first visit and taps on a slow network (Lighthouse's mobile profile), next to floors from the same run:
// one page with the same bytes in one file, and a script that does the same everywhere.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { launchBrowser } from '../scripts/browser.ts'
import { signIn } from '../tests/browser/sign-in.ts'
import { start, temporaryFolder } from '../tests/running.ts'
import { middle, report } from './measure.ts'
import { addPainted, timeEvent, timeOpening } from './paint.ts'

const RUNS = 3
// 150 ms, 1.6 Mbit/s down and 750 kbit/s up.
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const CPU_SLOWDOWN = 4
/** How long a rider looks at a screen, while the next screens' code loads. */
const READING_MS = 3000
const PHONE: BrowserContextOptions = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  locale: 'en-US',
  // The worker's requests would not be slowed down.
  serviceWorkers: 'block',
}

interface Visit {
  milliseconds: number
  /** Requests for the page, scripts, styles and icons, and all compressed bytes, until the content was painted. */
  files: number
  fileBytes: number
  bytes: number
  shift: number
  /** How long tasks blocked the main thread, beyond their first 50 ms each. The first paint comes before the code, so all count. */
  blocked: number
}

interface Floor {
  milliseconds: number
  /** How long a fixed script takes on this machine's slowed CPU. */
  script: number
}

const FIRST_TASK = 'main li.list-row b'
const SIGN_IN = 'input[type=password]'

export async function firstVisit(): Promise<void> {
  console.log('\nA first visit with a phone (1.6 Mbit/s, 150 ms, 4 × slower CPU)')
  const { folder, remove } = await temporaryFolder()
  const stack = await start({ TRACKER_DATA_DIR: folder })
  const browser = await launchBrowser()
  try {
    const storageState = await signedIn(browser, stack.url)
    const visits = { 'sign-in': [], Garage: [] } as Record<string, Visit[]>
    const floors = { 'sign-in': [], Garage: [] } as Record<string, Floor[]>
    const taps: Record<string, number[]> = {}
    for (let run = 0; run < RUNS; run++) {
      for (const [screen, content, state] of [
        ['sign-in', SIGN_IN, undefined],
        ['Garage', FIRST_TASK, storageState],
      ] as const) {
        const visit = await onPhone(browser, state, (page) => measureVisit(page, stack.url, content))
        visits[screen]!.push(visit)
        floors[screen]!.push(await measureFloor(browser, visit.bytes))
      }
      await onPhone(browser, storageState, (page) => measureTaps(page, stack.url, taps))
    }
    reportVisit('sign-in', visits['sign-in']!, floors['sign-in']!, {
      ratio: 2,
      kilobytes: 95,
      blocked: 1.2,
    })
    reportVisit('Garage', visits.Garage!, floors.Garage!, { ratio: 2, kilobytes: 145, blocked: 2 })
    for (const [name, times] of Object.entries(taps)) report(`tap to ${name}`, middle(times) / 1000, 's', 1.2)
  } finally {
    await browser.close()
    await stack.stop()
    await remove()
  }
}

function reportVisit(
  screen: string,
  visits: Visit[],
  floors: Floor[],
  limits: { ratio: number; kilobytes: number; blocked: number },
) {
  const median = (name: keyof Visit) => middle(visits.map((visit) => visit[name]))
  const floor = (name: keyof Floor) => middle(floors.map((one) => one[name]))
  report(`${screen}: content`, median('milliseconds') / 1000, 's')
  report('  one page with the same bytes in one file', floor('milliseconds') / 1000, 's')
  report('  against it', median('milliseconds') / floor('milliseconds'), '×', limits.ratio)
  report('  files', median('files'), '', 12)
  report('  compressed size of the files', median('fileBytes') / 1000, 'kB', limits.kilobytes)
  report('  compressed size of all responses', median('bytes') / 1000, 'kB')
  report('  layout shift', median('shift'), '', 0)
  report('  blocked', median('blocked'), 'ms')
  report('  a fixed script', floor('script'), 'ms')
  report('  blocked against it', median('blocked') / floor('script'), '×', limits.blocked)
}

async function signedIn(browser: Browser, url: string) {
  const context = await browser.newContext(PHONE)
  const page = await context.newPage()
  await page.goto(url)
  await signIn(page)
  await page.locator(FIRST_TASK).first().waitFor()
  await page.waitForTimeout(READING_MS)
  const state = await context.storageState()
  await context.close()
  return state
}

async function onPhone<T>(
  browser: Browser,
  storageState: BrowserContextOptions['storageState'],
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ ...PHONE, ...(storageState && { storageState }) })
  try {
    const page = await context.newPage()
    await addPainted(page)
    const devTools = await context.newCDPSession(page)
    await devTools.send('Network.emulateNetworkConditions', NETWORK)
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    return await use(page)
  } finally {
    await context.close()
  }
}

async function measureVisit(page: Page, url: string, content: string): Promise<Visit> {
  const devTools = await page.context().newCDPSession(page)
  const responses = new Map<string, { isFile: boolean; bytes: number; endedAt: number }>()
  devTools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const isFile = !/\/(?:auth|rest|functions)\/v1\//.test(request.url) && request.url.startsWith(url)
    responses.set(requestId, { isFile, bytes: 0, endedAt: Infinity })
  })
  devTools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    Object.assign(responses.get(requestId) ?? {}, { bytes: encodedDataLength, endedAt: performance.now() })
  })
  await devTools.send('Network.enable')
  const milliseconds = await timeOpening(page, () => page.goto(url, { waitUntil: 'commit' }), content)
  const seen = performance.now()
  const loaded = [...responses.values()].filter(({ endedAt }) => endedAt <= seen)
  const files = loaded.filter(({ isFile }) => isFile)
  await page.waitForLoadState('networkidle')
  const { shift, blocked } = await page.evaluate(() => {
    const [shifts = [], tasks = []] = ['layout-shift', 'longtask'].map((type) => {
      const observer = new PerformanceObserver(() => undefined)
      observer.observe({ type, buffered: true })
      return observer.takeRecords() as (PerformanceEntry & { value: number })[]
    })
    return {
      shift: shifts.reduce((total, { value }) => total + value, 0),
      blocked: tasks.reduce((total, { duration }) => total + duration - 50, 0),
    }
  })
  return { milliseconds, files: files.length, fileBytes: sum(files), bytes: sum(loaded), shift, blocked }
}

const sum = (all: { bytes: number }[]) => all.reduce((total, { bytes }) => total + bytes, 0)

/** Times a page with `bytes` bytes that don't compress, followed by its content, and then a fixed script. */
async function measureFloor(browser: Browser, bytes: number): Promise<Floor> {
  const filler = randomBytes(bytes / 2).toString('hex')
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(request.url === '/' ? `<!doctype html><!--${filler}--><p>Content` : '')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return await onPhone(browser, undefined, async (page) => ({
      milliseconds: await timeOpening(page, () => page.goto(url, { waitUntil: 'commit' }), 'p'),
      script: await page.evaluate(runFixedScript),
    }))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Builds and measures a page of 2,000 elements, much as a screen does. Returns its milliseconds. */
function runFixedScript(): number {
  const started = performance.now()
  for (let row = 0; row < 500; row++) {
    const line = document.body.appendChild(document.createElement('div'))
    for (const text of ['Chain', '1,234.5 mi', '2026-11-28']) {
      line.appendChild(document.createElement('span')).textContent = JSON.stringify({ row, text })
    }
  }
  return document.body.scrollHeight > 0 ? performance.now() - started : 0
}

/** Opens the Garage, and times taps from there. */
async function measureTaps(page: Page, url: string, taps: Record<string, number[]>) {
  const tap = async (name: string, control: string, content: string) => {
    await page.waitForTimeout(READING_MS)
    const times = (taps[name] ??= [])
    times.push(await timeEvent(page, 'pointerdown', () => page.locator(control).first().tap(), content))
  }
  await page.goto(url)
  await page.locator(FIRST_TASK).first().waitFor()
  await tap('Lifetimes', 'role=tab[name="Lifetimes"]', '[aria-label="Chains"]')
  await tap('Spending', 'role=tab[name="Spending"]', '[aria-label="What riding costs"]')
  await tap("a bike's log", 'role=button[name=/Domane/]', '[data-item]')
  await tap('Rides', 'role=tab[name="Rides"]', 'a[href*="/trips/"]')
}
