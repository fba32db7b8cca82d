import type { Page } from '@playwright/test'
import { expect, openMainScreen, openSettings, test } from './fixtures.ts'

const total = (page: Page) =>
  page
    .getByRole('region', { name: 'Bikes' })
    .getByText(/\d\s(?:mi|km)\b/)
    .first()
const distance = (page: Page, name: 'Miles' | 'Kilometers') => page.getByRole('radio', { name, exact: true })

async function comeBack(page: Page) {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
}

test('other tabs follow a setting at once, and other devices on return, without a reload', async ({
  page,
  sample,
  browser,
}) => {
  await openMainScreen(page, sample.url)
  await expect(total(page)).toContainText('mi')
  const tab = await page.context().newPage()
  await tab.goto(sample.url)
  await expect(total(tab)).toContainText('mi')
  const phone = await browser.newContext()
  const onPhone = await phone.newPage()
  await openMainScreen(onPhone, sample.url)
  await expect(total(onPhone)).toContainText('mi')
  for (const each of [page, tab, onPhone])
    await each.evaluate(() => Object.assign(window, { isSamePage: true }))

  await openSettings(page)
  await distance(page, 'Kilometers').check()
  await expect(total(tab)).toContainText('km')
  await comeBack(onPhone)
  await expect(total(onPhone)).toContainText('km')

  // The other way, from the phone.
  await openSettings(onPhone)
  await expect(distance(onPhone, 'Kilometers')).toBeChecked()
  // The page shows a choice before it is saved.
  const saved = onPhone.waitForResponse('**/rpc/run_command')
  await distance(onPhone, 'Miles').check()
  await saved
  await comeBack(page)
  await expect(distance(page, 'Miles')).toBeChecked()
  await comeBack(tab)
  await expect(total(tab)).toContainText('mi')
  for (const each of [page, tab, onPhone])
    expect(await each.evaluate(() => 'isSamePage' in window)).toBe(true)
  await phone.close()
})
