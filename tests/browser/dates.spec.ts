import type { Page } from '@playwright/test'
import { openSettings } from './fixtures.ts'
import { BIKE, expect, field, openLog, rowOf, save, test } from './log-page.ts'

const GERMAN = { distance: 'km', dates: 'DD.MM.YYYY', currency: 'EUR', week_start: 'Monday' }

test.beforeEach(async ({ log }) => {
  await log.owner.from('settings').upsert(GERMAN, { onConflict: 'is_the_one' })
})

test('dates are typed and picked as the owner writes them', async ({ page, log }) => {
  const id = await log.add({ name: 'Chain', dateStarted: '2026-01-31 01:00:00' })
  await openLog(page, log.url)
  const row = rowOf(page, id)
  const start = field(row, 'Start')
  await expect(start).toHaveValue('31.01.2026')

  await start.fill('31.02.')
  await expect(row).toContainText('Enter a date as DD.MM.YYYY.')
  await start.fill('3.2.25')
  await expect(row).toContainText('Saves as 03.02.2025')
  await start.press('Enter')
  await expect(start).toHaveValue('03.02.2025')
  expect((await log.stored(id))?.dateStarted).toBe('2025-02-03T01:00:00')
  await start.fill('2025-03-04')
  await expect(row).not.toContainText('Saves as')
  await save(row).click()
  await expect(start).toHaveValue('04.03.2025')

  await start.click()
  const calendar = page.getByRole('dialog', { name: 'Choose Date' })
  await expect(calendar.getByRole('columnheader').first()).toContainText('Monday')
  await calendar.getByRole('gridcell', { name: 'Choose Wednesday, 5 March 2025' }).click()
  await expect(start).toHaveValue('05.03.2025')
  const end = field(row, 'End')
  await end.click()
  await expect(end).toHaveAttribute('placeholder', 'DD.MM.YYYY')
})

const dialog = (page: Page) => page.getByRole('dialog')

test('an import asks what a date means if all dates fit two orders', async ({ page, log }) => {
  const file = ['Bike,Name,Cost (EUR),Start', `${BIKE},Chain,45.5,03/04/2026`, `${BIKE},Tire,12,05/06/26`]
  await openLog(page, log.url)
  await openSettings(page)
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import', exact: true }).click(),
  ])
  const buffer = Buffer.from(file.join('\n'))
  await chooser.setFiles({ name: 'log.csv', mimeType: 'text/csv', buffer })
  const question = dialog(page).getByRole('group', { name: 'What does 03/04/2026 mean in this file?' })
  await expect(question.getByRole('radio', { name: '3 Apr 2026' })).toBeChecked()
  await expect(dialog(page)).toContainText('Start: 03.04.2026')
  await question.getByRole('radio', { name: '4 Mar 2026' }).check()
  await expect(dialog(page)).toContainText('Start: 04.03.2026')
  await expect(dialog(page)).toContainText('Start: 06.05.2026')
  await expect(dialog(page)).toContainText('Cost: €45.50')
  await dialog(page).getByRole('button', { name: 'Import 2 log entries' }).click()
  await expect(dialog(page)).toHaveCount(0)
  const { data } = await log.owner
    .from('maintenance')
    .select('dateStarted, cost')
    .eq('bikeId', log.bikeId)
    .order('id')
  expect(data).toEqual([
    { dateStarted: '2026-03-04T01:00:00', cost: 45.5 },
    { dateStarted: '2026-05-06T01:00:00', cost: 12 },
  ])
})
