import { readFile } from 'node:fs/promises'
import { startSample } from '../postgres.ts'
import type { Running } from '../running.ts'
import { findings } from './axe.ts'
import { bikes, expect, openMainScreen, test } from './fixtures.ts'

let tracker: Running
test.beforeAll(async () => {
  tracker = await startSample()
})
test.afterAll(() => tracker.stop())

test('explains the likely date of a task', async ({ page }) => {
  await openMainScreen(page, tracker.url)
  await bikes(page).getByRole('button', { name: 'Blue Domane', exact: true }).click()
  await page.getByRole('button', { name: 'Details of KMC X11SL chain' }).click()
  const details = page.getByRole('region', { name: 'Details of KMC X11SL chain' })
  const wax = details.getByRole('listitem').filter({ has: page.getByText('Wax', { exact: true }) })
  await wax.getByRole('button', { name: /^Likely ~\d+ weeks \(.+–\d+\)$/ }).click()

  const dialog = page.getByRole('dialog', { name: /^Likely ~/ })
  await expect(dialog.getByRole('img', { name: /^How long \d+ mi took before$/ })).toBeVisible()
  await expect(dialog).toContainText(/held \d+ of \d+ times/)
  expect(await findings(page)).toEqual([])
})

test('downloads likely dates where calendars cannot subscribe', async ({ page }) => {
  await openMainScreen(page, tracker.url)
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Calendar feed' }).click()
  const dialog = page.getByRole('dialog', { name: 'Calendar feed' })
  await expect(dialog).toContainText('only answers on this computer')
  expect(await findings(page)).toEqual([])
  const started = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  const download = await started
  expect(download.suggestedFilename()).toBe('bike-maintenance.ics')
  expect(await readFile(await download.path(), 'utf8')).toContain('SUMMARY:Sealant: Continental GP')
})
