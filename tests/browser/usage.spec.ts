import type { Locator, Page } from '@playwright/test'
import { bikes, expect, openMainScreen, test, signInOwner } from './fixtures.ts'

const MILES = 6
const TIME = 7

const table = (page: Page) => page.getByRole('table')
const drillDown = (page: Page) => page.getByRole('paragraph').filter({ hasText: /^Rides on |^All rides on / })

async function openLog(page: Page, bike: string) {
  await bikes(page).getByRole('button', { name: bike }).click()
  await expect(page.getByRole('columnheader', { name: 'Use Miles' })).toBeVisible()
  await expect(page.getByRole('row').nth(1).getByRole('link').first()).toBeVisible()
}

/** Waits until the last row of the rides shows `text` under a header. */
async function expectFooter(page: Page, header: string, text: string) {
  await expect(drillDown(page)).toContainText(/: (?:none yet|1 ride|[\d,]+ rides)/)
  // Read the header and the cell in one step, since columns can still appear.
  const footer = () =>
    table(page).evaluate((element, header) => {
      const rows = [...element.querySelectorAll('tr')]
      const place = [...rows[0]!.children].findIndex((cell) => cell.textContent.trim() === header)
      return rows.at(-1)!.children[place]?.textContent.trim()
    }, header)
  await expect.poll(footer).toBe(text)
}

const linkText = (cell: Locator) => cell.getByRole('link').innerText()

test('the rides in each drill-down add up to its number in the log', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await openLog(page, 'Surly Cross-Check')
  const rows = (await table(page).getByRole('row').count()) - 3
  expect(rows).toBeGreaterThan(0)
  for (let row = 1; row <= rows; row++) {
    const cells = page.getByRole('row').nth(row).getByRole('cell')
    const name = await page.getByRole('row').nth(row).getByRole('textbox', { name: 'Name' }).inputValue()
    const [miles, time] = [await linkText(cells.nth(MILES)), await linkText(cells.nth(TIME))]

    await cells.nth(MILES).getByRole('link').click()
    await expect(page.getByRole('tab', { name: 'Rides' })).toHaveAttribute('aria-selected', 'true')
    await expect(drillDown(page)).toContainText(`Rides on “${name}” from `)
    if (miles.startsWith('0.0')) await expect(drillDown(page)).toContainText('none yet')
    else {
      await expectFooter(page, 'Distance', miles)
      await expectFooter(page, 'Moving Time', time)
    }
    await page.goBack()
    await expect(cells.nth(TIME).getByRole('link')).toHaveText(time)
  }
})

test('Total Miles links to all rides of the bike, and they add up to it', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await openLog(page, 'Blue Domane')
  const total = page.getByRole('link', { name: /^Total Miles/ })
  const miles = (await total.innerText()).replace('Total Miles ', '')
  await total.click()
  await expect(drillDown(page)).toContainText(
    /^All rides on Blue Domane: [\d,]+ rides, the first .+, the last /,
  )
  await expectFooter(page, 'Distance', miles)
})

test('a chart bar replaces the drill-down, and Back restores it', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await openLog(page, 'Surly Cross-Check')
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await expect(drillDown(page)).toContainText(/ rides, the first .+, the last /)
  const text = await drillDown(page).innerText()
  const bar = page.getByRole('button', { name: /, [1-9]\d* rides?$/ }).first()
  const rides = Number(/(\d+) rides?$/.exec((await bar.getAttribute('aria-label'))!)![1])
  await bar.click()
  await expect(drillDown(page)).toHaveCount(0)
  await expect(page.getByLabel('From', { exact: true })).not.toHaveValue('01/01/1990')
  await expect(table(page)).toHaveAttribute('aria-rowcount', String(rides + 2))
  await page.goBack()
  await expect(drillDown(page)).toHaveText(text)
})

test('a drill-down survives a reload, links back and ends when a tab is chosen', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await openLog(page, 'Surly Cross-Check')
  await page.getByRole('row').nth(1).getByRole('link').nth(1).click()
  await expect(drillDown(page)).toContainText(/ rides, the first .+, the last /)
  const text = await drillDown(page).innerText()
  await page.reload()
  await expect(drillDown(page)).toHaveText(text)
  await expect(page.getByLabel('From')).toHaveCount(0)

  await page.getByRole('link', { name: 'Show all rides' }).click()
  await expect(page.getByLabel('From')).toBeVisible()
  await expect(drillDown(page)).toHaveCount(0)
  await page.goBack()
  await expect(drillDown(page)).toHaveText(text)
  await page.getByRole('link', { name: 'Back to the log' }).click()
  await expect(page.getByRole('tab', { name: 'Maintenance Log' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(page.getByLabel('From')).toBeVisible()
})

test('a link to a deleted part shows all rides', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  const owner = await signInOwner(sample.url)
  const { data } = await owner.from('bikes').select('gear_id').eq('name', 'Surly Cross-Check').single()
  await page.goto(`${sample.url}/#bike=${data!.gear_id}&tab=rides&use=999999`)
  await expect(page.getByText(/not in the log/)).toBeVisible()
  await expect(page.getByLabel('From')).toBeVisible()
})

test('a saved date updates an open drill-down', async ({ page, sample }) => {
  // Other tests empty the log of this bike.
  const owner = await signInOwner(sample.url)
  const { data: bike } = await owner.from('bikes').select('gear_id').eq('name', 'Warbird').single()
  await owner.from('maintenance').delete().eq('bikeId', bike!.gear_id)
  await owner
    .from('maintenance')
    .insert({ bikeId: bike!.gear_id, name: 'Chain', dateStarted: '2024-06-01 01:00:00' })
  await openMainScreen(page, sample.url)
  await openLog(page, 'Warbird')
  const other = await page.context().newPage()
  await other.goto(page.url())
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await expect(drillDown(page)).toContainText(/ rides, the first /)
  const before = await drillDown(page).innerText()

  const start = other.getByRole('row').nth(1).getByRole('textbox', { name: 'Start' })
  await start.fill('01/01/1990')
  await start.press('Enter')
  await expect(drillDown(page)).toContainText('from 01/01/1990 01:00')
  await expect(drillDown(page)).not.toHaveText(before)
  await expect(other.getByRole('row').nth(1).locator('[aria-busy=true]')).toHaveCount(0)
  const miles = await other.getByRole('row').nth(1).getByRole('cell').nth(MILES).innerText()
  await expectFooter(page, 'Distance', miles)
})

test('reloads everything when the tab becomes visible after a sync elsewhere', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await bikes(page).getByRole('button', { name: 'Surly Cross-Check' }).click()
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(page.getByText(/^Last updated/)).toBeVisible()
  await expect(page.getByRole('link', { name: /^Total Miles/ })).toBeVisible()

  const owner = await signInOwner(sample.url)
  const { error } = await owner.functions.invoke('update-rides', { method: 'POST' })
  expect(error).toBeNull()
  const again = ['**/functions/v1/maintenance-use', '**/rest/v1/rides*', '**/rest/v1/bikes*']
  const requests = again.map((url) => page.waitForRequest(url))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await Promise.all(requests)
})
