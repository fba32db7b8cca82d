import { signIn } from '../owner.ts'
import { bikes, expect, openMainScreen, test } from './fixtures.ts'

// Daylight saving changes in several time zones, and the first and last day of a year.
const DAYS = [
  '03/10/2024',
  '11/03/2024',
  '03/31/2024',
  '10/27/2024',
  '04/07/2024',
  '09/29/2024',
  '01/01/2024',
  '12/31/2023',
]

for (const timezoneId of ['America/New_York', 'Europe/Berlin', 'Pacific/Auckland', 'Pacific/Kiritimati']) {
  test.describe(`in ${timezoneId}`, () => {
    test.use({ timezoneId })

    test('keeps the day, typed or chosen in the calendar', async ({ page, sample }) => {
      const owner = await signIn(sample.url)
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
      const row = page.getByRole('row').nth(1)
      const start = row.getByRole('textbox', { name: 'Start' })
      await expect(start).toHaveValue('06/15/2023')

      for (const day of DAYS) {
        await start.fill(day)
        await start.press('Enter')
        await expect(row.locator('[data-dirty="true"]')).toHaveCount(0)
        await expect(start).toHaveValue(day)
        const [month, date, year] = day.split('/')
        expect(await started()).toBe(`${year}-${month}-${date}T01:00:00`)
      }

      await start.blur()
      await start.focus()
      await page.getByRole('gridcell', { name: /December 10/ }).click()
      await expect(start).toHaveValue('12/10/2023')
      await start.press('Enter')
      await expect(row.locator('[data-dirty="true"]')).toHaveCount(0)
      expect(await started()).toBe('2023-12-10T01:00:00')
    })
  })
}
