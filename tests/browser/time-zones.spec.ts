import { expect, field, openLog, rowOf, test } from './log-page.ts'

// A day ahead of UTC, with daylight saving time. src/lib/days.test.ts tests every day of two years in other zones.
test.use({ timezoneId: 'Pacific/Auckland', ownContext: true })

test('keeps the day, typed or chosen in the calendar, far from UTC', async ({ page, log }) => {
  const id = await log.add({ name: 'Chain', dateStarted: '2023-06-15 01:00:00' })
  const started = async () => (await log.stored(id))!.dateStarted

  await openLog(page, log.url)
  const start = field(rowOf(page, id), 'Start')
  await expect(start).toHaveValue('06/15/2023')
  // Daylight saving time ends on this day.
  await start.fill('04/07/2024')
  await start.press('Enter')
  await expect.poll(started).toBe('2024-04-07T01:00:00')
  await expect(start).toHaveValue('04/07/2024')

  await start.blur()
  await start.focus()
  await page.getByRole('gridcell', { name: /April 10/ }).click()
  await expect(start).toHaveValue('04/10/2024')
  await start.press('Enter')
  await expect.poll(started).toBe('2024-04-10T01:00:00')
})
