import type { Locator, Page } from '@playwright/test'
import { bikes, expect, openMainScreen, test } from './fixtures.ts'

/** The responses to delay, one at a time. */
const LATE = ['/rest/v1/bikes', '/rest/v1/ride_syncs', '/rest/v1/rides', 'maintenance-use']
const LATE_MS = 300
/** Allows for the footer moving back into view. */
const LARGEST_SHIFT = 0.02

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 375, height: 812 },
]) {
  test(`late responses cause no layout shift at ${viewport.width} px`, async ({ page, sample }) => {
    await page.setViewportSize(viewport)
    await openMainScreen(page, sample.url)
    await bikes(page).getByRole('button').first().click()
    const table = page.getByRole('table')
    await expect(table).toBeVisible()
    const log = page.url()
    const garage = page.getByText(/ this year$/).last()
    const cases = [log, `${log}&tab=rides`].flatMap((url) =>
      LATE.map((late) => ({ url, late, shown: table })),
    )
    cases.push({ url: `${sample.url}/#garage`, late: 'functions/v1/garage', shown: garage })
    for (const { url, late, shown } of cases) {
      // oxlint-disable-next-line no-await-in-loop
      const shift = await shiftOf(page, url, late, shown)
      expect(shift, `${url} with a late ${late}`).toBeLessThan(LARGEST_SHIFT)
    }
  })
}

/** Loads the page with one response delayed, waits for `shown` and returns the total layout shift. */
async function shiftOf(page: Page, url: string, late: string, shown: Locator): Promise<number> {
  await page.route(
    ({ href }) => href.includes(late),
    async (route) => {
      await new Promise((resolve) => setTimeout(resolve, LATE_MS))
      await route.continue()
    },
  )
  await page.goto('about:blank')
  await page.goto(url)
  await expect(shown).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.unrouteAll({ behavior: 'wait' })
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
