import { bikes, expect, openMainScreen, signInOwner, test } from './fixtures.ts'

// A day ahead of UTC, with daylight saving time. src/lib/days.test.ts tests other zones, on every day of two years.
test.use({ timezoneId: 'Pacific/Auckland', ownContext: true })

test('keeps the day, typed or chosen in the calendar, far from UTC', async ({ page, sample }) => {
  const owner = await signInOwner(sample.url)
  const { data: bike } = await owner.from('bikes').select('gear_id').eq('name', 'Warbird').single()
  await owner.from('maintenance').delete().eq('bikeId', bike!.gear_id)
  const { data: item } = await owner
    .from('maintenance')
    .insert({ bikeId: bike!.gear_id, name: 'Chain', dateStarted: '2023-06-15 01:00:00' })
    .select('id')
    .single()
  const started = async () =>
    (await owner.from('maintenance').select('dateStarted').eq('id', item!.id).single()).data!.dateStarted

  await openMainScreen(page, sample.url)
  await bikes(page).getByRole('button', { name: 'Warbird' }).click()
  const start = page.getByRole('row').nth(1).getByRole('textbox', { name: 'Start' })
  await expect(start).toHaveValue('06/15/2023')
  // The clock changes on this day.
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
