import { readFile } from 'node:fs/promises'
import { ROAD } from '../../sample/gear.ts'
import { axeViolations } from './axe.ts'
import { expect, openMainScreen, openSettings, test } from './fixtures.ts'

test('explains the likely date of a task, and downloads the dates where calendars cannot subscribe', async ({
  page,
  sample,
}) => {
  await openMainScreen(page, `${sample.url}/#bike=${ROAD}`)
  await page.getByRole('button', { name: 'Details of KMC X11SL chain' }).click()
  const details = page.getByRole('region', { name: 'Details of KMC X11SL chain' })
  // Which of the chain's tasks has a range depends on the day.
  const likely = /^Likely about \d+ (day|week|month)s?, within \d+ \1s?$/
  await details.getByRole('button', { name: likely }).first().click()

  const forecast = page.getByRole('dialog', { name: /^Likely about/ })
  await expect(forecast.getByRole('img', { name: /^How long \d+ mi took before$/ })).toBeVisible()
  await expect(forecast).toContainText(/right \d+ of \d+ times/)
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(forecast).toHaveCount(0)

  await openSettings(page)
  const feed = page.getByRole('listitem').filter({ hasText: 'Calendar feed' })
  await expect(feed).toContainText('only works on this computer')
  const started = page.waitForEvent('download')
  await feed.getByRole('button', { name: 'Download' }).click()
  const download = await started
  expect(download.suggestedFilename()).toBe('bike-maintenance.ics')
  expect(await readFile(await download.path(), 'utf8')).toContain('SUMMARY:Sealant: Continental GP')
})
