import { expectAccessible } from './axe.ts'
import { expect, openMainScreen, signInOwner, test } from './fixtures.ts'

test('the Garage’s total leads to the months of all bikes, which filter the list below', async ({
  page,
  sample,
}) => {
  const owner = await signInOwner(sample.url)
  const { data: garage } = await owner.functions.invoke('garage', { body: {} })
  const { data: years } = await owner.functions.invoke('ride-years', { body: {} })
  expect(years.total.rides).toBe(garage.all.rides)
  await page.setViewportSize({ width: 390, height: 844 })
  await openMainScreen(page, sample.url)
  await page.getByRole('definition').first().getByRole('link').click()
  await expect(page).toHaveURL(/#rides$/)
  await expect(page.getByRole('heading', { name: 'Rides of all bikes' })).toBeVisible()
  await expect(page).toHaveTitle('Rides of all bikes · RWGPS Maintenance Tracker')
  await expect(page.getByLabel('Sort')).toHaveValue('-date')

  const table = page.getByRole('region', { name: 'Rides by month and year' })
  const lastYear = Number(years.today.slice(0, 4)) - 1
  const may = table.getByRole('button', { name: new RegExp(`^May ${lastYear}: `) })
  await may.click()
  await expect(may).toHaveAttribute('aria-pressed', 'true')
  const { rides } = years.months.find(({ month }: { month: string }) => month === `${lastYear}-05`)
  await expect(page.getByText(`May ${lastYear}`, { exact: true })).toBeVisible()
  await expect(page.getByText(`May ${lastYear - 1}`, { exact: true })).toBeVisible()
  await expect(page.getByText(`${rides} of`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: `Jun ${lastYear} ›` }).click()
  await expect(page.getByText(`Jun ${lastYear}`, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'All rides' }).click()
  await expect(page.getByText('Choose a month or a year to see its rides.')).toBeVisible()

  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(table.getByRole('rowheader').first()).toHaveText(String(lastYear + 1))
  await table.getByRole('button', { name: String(lastYear), exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`from=${lastYear}-01-01&to=${lastYear}-12-31`))
  await expectAccessible(page)

  // The menu of every page says when the rides were last synced.
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await expect(
    page
      .getByText(/^Synced .+: [\d,]+ rides, /)
      .filter({ visible: true })
      .last(),
  ).toBeVisible()
  await page.getByRole('listitem').getByRole('button', { name: 'What changed' }).click()
  await expect(page.getByRole('dialog', { name: 'What changed' })).toBeVisible()
})
