import type { Page } from '@playwright/test'
import { COMMUTER, GRAVEL } from '../../sample/gear.ts'
import { expect, openMainScreen, test, signInOwner } from './fixtures.ts'

const drillDown = (page: Page) => page.getByRole('paragraph').filter({ hasText: /^Rides on |^All rides on / })
const itemRow = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: `Details of ${name}`, exact: true }) })
const useLink = (page: Page, name: string, unit: RegExp) =>
  itemRow(page, name).getByRole('link', { name: unit })
const MILES = /^[\d,]+\.\d\smi$/
const TIME = /^\d+:\d\d:\d\d$/

/** Returns the text in the totals row under a header. Reads both in one step, because columns can still appear. */
const footer = (page: Page, header: string) =>
  page.getByRole('table').evaluate((element, header) => {
    const rows = [...element.querySelectorAll('tr')]
    const place = [...rows[0]!.children].findIndex((cell) => cell.textContent.trim() === header)
    return rows.at(-1)!.children[place]?.textContent.trim()
  }, header)
const expectFooter = (page: Page, header: string, text: string) =>
  expect.poll(() => footer(page, header)).toBe(text)

// src/features/entries/counts-for.test.ts checks that the client and the database count the same rides.
test('the rides in a drill-down add up to the number in the log, and a link or Back leaves it', async ({
  page,
  sample,
}) => {
  const owner = await signInOwner(sample.url)
  const { data: items } = await owner
    .from('maintenance')
    .select('name, dateEnded')
    .eq('bikeId', COMMUTER)
    .order('dateStarted')
  const isUnique = ({ name }: { name: string }) => items!.filter((item) => item.name === name).length === 1
  const ended = items!.find((item) => item.dateEnded !== null && isUnique(item))!.name
  const inUse = items!.find((item) => item.dateEnded === null && isUnique(item))!.name
  await openMainScreen(page, `${sample.url}/#bike=${COMMUTER}`)
  for (const name of [ended, inUse]) {
    const miles = await useLink(page, name, MILES).innerText()
    const time = await useLink(page, name, TIME).innerText()
    await useLink(page, name, name === ended ? MILES : TIME).click()
    await expect(page.getByRole('tab', { name: 'Rides' })).toHaveAttribute('aria-selected', 'true')
    await expect(drillDown(page)).toContainText(`Rides on “${name}” from `)
    await expectFooter(page, 'Distance', miles)
    await expectFooter(page, 'Moving Time', time)
    if (name === ended) await page.goBack()
  }

  await expect(drillDown(page)).toContainText(/ rides, the first .+, the last /)
  const text = await drillDown(page).innerText()
  const [label] = await page
    .getByRole('figure')
    .getByRole('button', { name: /, [1-9]\d* rides?$/ })
    .evaluateAll((bars) => bars.map((bar) => bar.ariaLabel!))
  await page.getByRole('button', { name: label!, exact: true }).click()
  await expect(drillDown(page)).toHaveCount(0)
  await expect(page.getByLabel('From', { exact: true })).not.toHaveValue('01/01/1990')
  const rides = Number(/(\d+) rides?$/.exec(label!)![1])
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', String(rides + 2))
  await page.goBack()
  await expect(drillDown(page)).toHaveText(text)
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

  const total = page.getByRole('link', { name: /^Total Miles/ })
  const miles = (await total.innerText()).replace('Total Miles ', '')
  await total.click()
  await expect(drillDown(page)).toContainText(
    /^All rides on Surly Cross-Check: [\d,]+ rides, the first .+, the last /,
  )
  await expectFooter(page, 'Distance', miles)

  // A link to a deleted item shows all rides.
  await page.goto(`${sample.url}/#bike=${COMMUTER}&tab=rides&use=999999`)
  await expect(page.getByText(/not in the log/)).toBeVisible()
  await expect(page.getByLabel('From')).toBeVisible()
})

test('updates after a date is saved in another tab, and when it becomes visible after a sync elsewhere', async ({
  page,
  sample,
}) => {
  const owner = await signInOwner(sample.url)
  const name = 'Measured chain'
  const item = { bikeId: GRAVEL, name, dateStarted: '2024-06-01 01:00:00' }
  await owner.from('maintenance').insert(item)
  await openMainScreen(page, `${sample.url}/#bike=${GRAVEL}`)
  const other = await page.context().newPage()
  await other.goto(page.url())
  await useLink(page, name, MILES).click()
  await expect(drillDown(page)).toContainText(/ rides, the first /)
  const before = await drillDown(page).innerText()

  const start = itemRow(other, name).getByRole('textbox', { name: 'Start' })
  await start.fill('01/01/1990')
  await start.press('Enter')
  await expect(drillDown(page)).toContainText('from 01/01/1990 until')
  await expect(drillDown(page)).not.toHaveText(before)
  await expect(async () => {
    expect(await footer(page, 'Distance')).toBe(await useLink(other, name, MILES).innerText())
  }).toPass()
  await other.close()

  const { error } = await owner.functions.invoke('update-rides', { method: 'POST' })
  expect(error).toBeNull()
  const again = ['**/functions/v1/maintenance-use', '**/rest/v1/rides*', '**/rest/v1/bikes*']
  const requests = again.map((url) => page.waitForRequest(url))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await Promise.all(requests)
})
