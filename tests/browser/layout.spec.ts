import { setTimeout } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'
import { expect, openMainScreen, signInOwner, test } from './fixtures.ts'

/** The responses to delay: each comes this long after the one before. */
const LATE = [
  '/rest/v1/bikes',
  '/rest/v1/ride_syncs',
  '/rest/v1/rides',
  'maintenance-use',
  'functions/v1/garage',
]
const LATE_MS = 200
/** Allows for the footer moving back into view. */
const LARGEST_SHIFT = 0.02

for (const [viewport, late] of [
  [{ width: 1440, height: 900 }, LATE],
  [{ width: 375, height: 812 }, LATE.toReversed()],
] as const) {
  test(`late responses cause no layout shift at ${viewport.width} px`, async ({ page, sample }) => {
    await page.setViewportSize(viewport)
    const owner = await signInOwner(sample.url)
    const { data: bike } = await owner.from('bikes').select('gear_id').eq('name', 'Blue Domane').single()
    const log = `${sample.url}/#bike=${bike!.gear_id}`
    const table = page.getByRole('table')
    const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Open Warbird' }) })
    for (const [url, shown] of [
      [log, table],
      [`${log}&tab=rides`, table],
      [`${sample.url}/#garage`, card.getByText(/ this year$/)],
    ] as const) {
      const shift = await shiftOf(page, url, late, shown)
      expect(shift, url).toBeLessThan(LARGEST_SHIFT)
    }
  })
}

/** Loads the page with late responses, one after the other, waits for `shown` and returns the total layout shift. */
async function shiftOf(page: Page, url: string, late: readonly string[], shown: Locator): Promise<number> {
  // Playwright's routes would turn off the browser's cache.
  const devTools = await page.context().newCDPSession(page)
  devTools.on('Fetch.requestPaused', async ({ requestId, request }) => {
    const place = late.findIndex((part) => request.url.includes(part))
    await setTimeout(LATE_MS * (place + 1))
    await devTools.send('Fetch.continueRequest', { requestId })
  })
  await devTools.send('Fetch.enable', { patterns: late.map((part) => ({ urlPattern: `*${part}*` })) })
  await page.goto('about:blank')
  await openMainScreen(page, url)
  await expect(shown).toBeVisible()
  await page.waitForLoadState('networkidle')
  await devTools.detach()
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        new PerformanceObserver((list, observer) => {
          for (const shift of list.getEntries()) sum += (shift as PerformanceEntry & { value: number }).value
          observer.disconnect()
          resolve(sum)
        }).observe({ type: 'layout-shift', buffered: true })
        // Without any shift, the observer is never called.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
      }),
  )
}
