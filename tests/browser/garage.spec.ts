import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { bikes, expect, openMainScreen, test, signInOwner } from './fixtures.ts'

const garage = (page: Page) => page.getByRole('region', { name: 'Garage' })
const card = (page: Page, bike: string) =>
  garage(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: `Open ${bike}`, exact: true }) })

test.beforeEach(({ page, sample }) => openMainScreen(page, sample.url))

test('the Garage comes first, and its cards lead to the logs', async ({ page, sample }) => {
  await expect(page.getByRole('heading', { name: 'Garage' })).toBeVisible()
  const button = page.getByRole('button', { name: 'Garage' })
  await expect(button).toHaveAttribute('aria-pressed', 'true')
  await expect(card(page, 'Blue Domane')).toContainText('Trek Domane SL 5')
  const miles = card(page, 'Blue Domane').getByText(/^[\d,]+\.\d\smi$/)
  const text = (await miles.textContent())!
  await expect(card(page, 'Warbird')).toContainText('this year')
  for (const name of ['Due', 'Lifetimes', 'Spending', 'To check'])
    await expect(page.getByRole('region', { name, exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Open Blue Domane' }).click()
  await expect(page.getByText('Total Miles')).toContainText(text)

  const owner = await signInOwner(sample.url)
  const { data } = await owner.from('bikes').select('gear_id').eq('name', 'Blue Domane').single()
  const name = 'A very recent chain'
  const [year, month, day] = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10).split('-')
  await owner
    .from('maintenance')
    .insert({ bikeId: data!.gear_id, name, dateStarted: `${year}-${month}-${day} 01:00:00` })
  await button.click()
  await expect(page).toHaveURL(/#garage$/)
  await expect(card(page, 'Blue Domane')).toContainText(`Newest entry ${month}/${day}/${year}: ${name}`)
  await owner.from('maintenance').delete().eq('name', name)
})

test('retired bikes come last, after a press, and rides without a bike have a link', async ({ page }) => {
  await expect(garage(page).getByRole('link', { name: /^Open / })).toHaveText([
    /Blue Domane/,
    /Surly Cross-Check/,
    /Warbird/,
    /Hardtail/,
  ])
  const names = bikes(page).getByRole('button')
  await expect(names).toHaveText(['Blue Domane', 'Surly Cross-Check', 'Warbird'])
  const retired = page.getByRole('button', { name: 'Retired (1)' })
  await retired.click()
  await expect(names).toHaveText(['Blue Domane', 'Surly Cross-Check', 'Warbird', 'Hardtail'])
  const trail = bikes(page).getByRole('button', { name: 'Hardtail' })
  await trail.click()
  await expect(page.getByRole('heading', { name: 'Hardtail' })).toBeVisible()
  await page.reload()
  await expect(trail).toHaveAttribute('aria-pressed', 'true')
  await bikes(page).getByRole('button', { name: 'Blue Domane' }).click()
  await expect(retired).toHaveAttribute('aria-expanded', 'false')
  await expect(names).toHaveCount(3)

  await page.getByRole('button', { name: 'Garage' }).click()
  const link = garage(page).getByRole('link', { name: /^\d+ rides have no bike$/ })
  const count = Number.parseInt((await link.textContent())!, 10)
  await link.click()
  await expect(page.getByLabel('Gear')).toHaveValue('none')
  // A header and a footer.
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', `${count + 2}`)
})
