import { openMainScreen, openSettings } from './fixtures.ts'
import { expect, newName, openLog, test } from './log-page.ts'

// A day ahead of UTC, with daylight saving time. src/lib/days.test.ts tests every day of two years in other zones.
test.use({ timezoneId: 'Pacific/Auckland', ownContext: true })

test('uses the owner’s day farther west, and offers this browser’s time zone once', async ({ page, log }) => {
  await log.owner.rpc('run_command', { command: 'set_time_zone', arguments: { name: 'Pacific/Pago_Pago' } })
  await openMainScreen(page, log.url.replace(/#.*/, ''))
  const offer = page.getByRole('region', { name: 'Time zone of this browser' })
  await expect(offer).toContainText('This browser is in Auckland, your days are those of Pago Pago.')
  await offer.getByRole('button', { name: 'Keep' }).click()
  await expect(offer).toHaveCount(0)

  await page.route('**/config.json', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), otherZoneRules: true } })
  })
  await page.reload()
  await openSettings(page)
  const zone = page.getByLabel('Time zone')
  await expect(zone).toHaveAccessibleDescription(/other time zone rules .+ on another day/)
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
