import type { Page } from '@playwright/test'
import { axeViolations, expectAccessible } from './axe.ts'
import { bikes, expect, openMainScreen, signInOwner, SMALL_WINDOWS, test } from './fixtures.ts'
import { listen } from './listen.ts'

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
  const text = await card(page, 'Blue Domane')
    .getByText(/^[\d,]+\smi$/)
    .textContent()
  const rounded = Number.parseInt(text!.replace(',', ''), 10)
  await expect(card(page, 'Warbird')).toContainText('this year')
  await expect(card(page, 'Blue Domane')).toContainText(/\d due/)
  await expect(card(page, 'Surly Cross-Check')).toContainText(/next: check bolts in \d+ days/)
  await expect(card(page, 'Hardtail')).toContainText('retired')
  await expect(card(page, 'Hardtail')).not.toContainText('next')
  for (const name of ['Due', 'Bikes', 'Stored', 'To check'])
    await expect(page.getByRole('region', { name, exact: true })).toBeVisible()
  // On most days, none of these tasks has a likely date.
  const owner = await signInOwner(sample.url)
  const { data } = await owner.functions.invoke('service-due', { body: {} })
  const { id, used } = data.tasks.find((task: { name: string }) => task.name === 'Replace chain')
  await owner
    .from('service_tasks')
    .update({ every_distance: used.distance * 1.02 })
    .eq('id', id)
  await page.reload()
  await expect(garage(page).locator('dt')).toHaveText([
    /^this year, [+−-][\d,]+$/,
    'spent this year',
    'in all',
    'per mile in all',
  ])
  const upcoming = page.getByRole('region', { name: 'Upcoming' })
  await expect(upcoming.getByRole('button', { name: /^Likely / }).first()).toBeVisible()
  await expectAccessible(page)
  const scrollTop = () => page.evaluate(() => scrollY)
  const link = page.getByRole('link', { name: 'Open Blue Domane' })
  await page.evaluate(() => scrollTo(0, document.body.offsetHeight))
  await link.scrollIntoViewIfNeeded()
  const top = await scrollTop()
  expect(top).toBeGreaterThan(0)
  await link.click()
  const exact = page.getByText('Total Miles')
  await expect(exact).toContainText(/\d\.\d/)
  const miles = Number(/[\d,]+\.\d/.exec((await exact.textContent())!)![0].replace(',', ''))
  expect(Math.abs(miles - rounded)).toBeLessThanOrEqual(0.55)
  expect(await scrollTop()).toBe(0)
  await page.goBack()
  await expect.poll(scrollTop).toBe(top)
  await page.reload()
  await expect.poll(scrollTop).toBe(top)
  await page.goForward()
  await button.click()
  await expect(page).toHaveURL(/#garage$/)
})

test('Garage tabs have addresses, follow the arrow keys and load only what they show', async ({ page }) => {
  await expect(card(page, 'Warbird')).toContainText('this year')
  const requests = listen(page)
  await requests.skip()
  await page.getByRole('tab', { name: 'Overview' }).press('ArrowRight')
  await expect(page).toHaveURL(/#garage&tab=lifetimes$/)
  await expect(page.getByRole('heading', { name: 'Lifetimes' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Chains' })).toContainText(
    /^Chains · longest Shimano CN-HG701 chain, about [\d,]+\smi · \d+ compared/,
  )
  await requests.expect('POST part-lifetimes')
  await expectAccessible(page, [390])
  await page.getByRole('tab', { name: 'Lifetimes' }).press('End')
  await expect(page).toHaveURL(/#garage&tab=spending$/)
  await expect(page.getByRole('heading', { name: 'Spending' })).toBeVisible()
  await requests.expect('POST spending')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Spending' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('tab', { name: 'Lifetimes' })).toHaveAttribute('aria-selected', 'true')
})

test('lists retired bikes last, hides them in the Bikes row, and links to rides without a bike', async ({
  page,
}) => {
  const links = garage(page).getByRole('link', { name: /^Open / })
  await expect(links).toHaveCount(4)
  // The order of the others depends on the day, because they are listed by their last rides.
  const inUse = (await links.allInnerTexts()).slice(0, 3)
  await expect(links).toHaveText([...inUse, 'Hardtail'])
  const names = bikes(page).getByRole('button')
  await expect(names).toHaveText(inUse)
  const retired = page.getByRole('button', { name: 'Retired (1)' })
  await retired.click()
  await expect(names).toHaveText([...inUse, 'Hardtail'])
  const trail = bikes(page).getByRole('button', { name: 'Hardtail' })
  await trail.click()
  await expect(page.getByRole('heading', { name: 'Hardtail' })).toBeVisible()
  await page.reload()
  await expect(trail).toHaveAttribute('aria-pressed', 'true')
  await bikes(page).getByRole('button', { name: 'Blue Domane' }).click()
  await expect(retired).toHaveAttribute('aria-expanded', 'false')
  await expect(names).toHaveCount(3)

  await page.getByRole('button', { name: 'Garage' }).click()
  const line = garage(page).getByText(/^\d+ rides have no bike$/)
  const count = Number.parseInt((await line.textContent())!, 10)
  await garage(page).getByRole('link', { name: 'Open: the rides without a bike' }).click()
  await expect(page.getByLabel('Gear')).toHaveValue('none')
  // The count includes the header and footer rows.
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', `${count + 2}`)
})

/** Maximum heights with sample data, by window width. */
type Heights = Partial<Record<number, number>>
const MAX_ROW_HEIGHT = 120

test('cuts nothing off and keeps rows and pages short in any window', async ({ page, sample }) => {
  const pages: [address: string, shown: string, maxHeights: Heights][] = [
    ['#garage', 'Stored', { 390: 3 * 844, 1440: 1500 }],
    ['#garage&tab=lifetimes', 'Chains', { 390: 2 * 844 }],
    ['#garage&tab=lifetimes&kind=chain,rear+tire', 'Chains', {}],
    ['#garage&tab=spending', 'Spending', {}],
  ]
  for (const [address, shown, maxHeights] of pages) {
    await page.goto(`${sample.url}/${address}`)
    await expect(page.getByRole('region', { name: shown, exact: true })).toBeVisible()
    for (const [width, height] of [...SMALL_WINDOWS, [1440, 900] as const]) {
      await page.setViewportSize({ width, height })
      const where = `${address} at ${width} px`
      const found = await page.evaluate(measure, MAX_ROW_HEIGHT)
      expect(found, where).toEqual({ width, high: [], cut: [] })
      expect(await page.evaluate(() => document.documentElement.scrollHeight), where).toBeLessThanOrEqual(
        maxHeights[width] ?? Infinity,
      )
    }
  }
})

/** Measures the layout. Runs in the page and ignores elements clipped by scrolling tables. */
function measure(maxRowHeight: number) {
  const shown = [...document.querySelectorAll('main *')]
    .filter((element) => element.checkVisibility())
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
  return {
    width: document.documentElement.scrollWidth,
    high: shown
      .filter(({ element, box }) => element.matches('.list > li') && box.height > maxRowHeight)
      .map(({ element }) => element.textContent),
    cut: shown
      .filter(({ element }) => element.closest('[tabindex="0"] table, svg') === null)
      .filter(({ box }) => box.width > 1 && (box.right > innerWidth || box.left < 0))
      .map(({ element }) => element.outerHTML.slice(0, 100)),
  }
}

test('bikes that do not fit into the header are behind a button', async ({ page, sample }) => {
  // Which bikes are hidden depends on the last rides, so let all have due tasks.
  const owner = await signInOwner(sample.url)
  await owner.from('service_tasks').update({ every_distance: 1 }).gt('id', 0).throwOnError()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  const more = page.getByRole('button', { name: /^3 more bikes, \d+ due$/ })
  await more.click()
  expect(await axeViolations(page)).toEqual([])
  const list = page.locator('[popover]:popover-open')
  await expect(list.getByRole('button').first()).toHaveAccessibleDescription(/^\d+ due$/)
  await list.getByRole('button', { name: 'Hardtail' }).click()
  await expect(page.getByRole('heading', { name: 'Hardtail' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Garage' })).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1920, height: 844 })
  await expect(page.getByRole('button', { name: /more bikes/ })).toHaveCount(0)
})
