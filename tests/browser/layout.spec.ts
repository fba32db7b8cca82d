import type { Page } from '@playwright/test'
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
    await expect(page.getByRole('table')).toBeVisible()
    const log = page.url()
    for (const url of [log, `${log}&tab=rides`]) {
      for (const late of LATE) {
        // oxlint-disable-next-line no-await-in-loop
        expect(await shiftOf(page, url, late), `${url} with a late ${late}`).toBeLessThan(LARGEST_SHIFT)
      }
    }
  })
}

/** Loads the page with one response delayed and returns the total layout shift. */
async function shiftOf(page: Page, url: string, late: string): Promise<number> {
  await page.route(
    ({ href }) => href.includes(late),
    async (route) => {
      await new Promise((resolve) => setTimeout(resolve, LATE_MS))
      await route.continue()
    },
  )
  await page.goto('about:blank')
  await page.goto(url)
  await expect(page.getByRole('table')).toBeVisible()
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
