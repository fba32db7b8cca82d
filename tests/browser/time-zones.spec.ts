import { openMainScreen, openSettings } from './fixtures.ts'
import { expect, field, newName, openLog, rowOf, test } from './log-page.ts'

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

test('uses the owner’s day farther west, and offers this browser’s time zone once', async ({ page, log }) => {
  await log.owner.rpc('run_command', { command: 'set_time_zone', arguments: { name: 'Pacific/Pago_Pago' } })
  await openMainScreen(page, log.url.replace(/#.*/, ''))
  const offer = page.getByRole('region', { name: 'Time zone of this browser' })
  await expect(offer).toContainText('This browser is in Auckland, your days are those of Pago Pago.')
  await offer.getByRole('button', { name: 'Keep' }).click()
  await expect(offer).toHaveCount(0)

  await openSettings(page)
  const zone = page.getByLabel('Time zone')
  await expect(zone).toHaveValue('Pacific/Pago_Pago')
  const isSaved = () => page.waitForResponse('**/rpc/run_command')
  await Promise.all([isSaved(), page.getByRole('button', { name: 'Use this browser’s' }).click()])
  await expect(zone).toHaveValue('Pacific/Auckland')
  await Promise.all([isSaved(), zone.selectOption('Pacific/Pago_Pago')])
  await page.reload()
  await expect(zone).toHaveValue('Pacific/Pago_Pago')

  await openLog(page, log.url)
  await newName(page).fill('Bell')
  await newName(page).press('Enter')
  const start = async () =>
    (await log.owner.from('maintenance').select('dateStarted').eq('name', 'Bell')).data?.[0]?.dateStarted
  const home = new Date().toLocaleDateString('sv-SE', { timeZone: 'Pacific/Pago_Pago' })
  await expect.poll(start).toBe(`${home}T01:00:00`)
})
