import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { DUE, listen, LOG, RIDES, USAGE } from './listen.ts'
import { expect, field, newName, openLog, rowOf, save, test } from './log-page.ts'

const COMMAND = 'POST rpc/run_command'

async function change(page: Page, id: number, name: string, text: string) {
  await field(rowOf(page, id), name).fill(text)
  await save(rowOf(page, id)).click()
  await expect(field(rowOf(page, id), name)).not.toHaveAttribute('data-dirty', 'true')
}

const dialogButton = (page: Page, name: string) =>
  page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name, exact: true })

async function openDetails(page: Page, name: string) {
  await page.getByRole('button', { name: `Details of ${name}`, expanded: false }).click()
  const details = page.getByRole('region', { name: `Details of ${name}` })
  await expect(details.getByRole('heading', { name: 'History' })).toBeVisible()
  return details
}

test('a write reloads only what it changed on the screen, in at most three requests', async ({
  page,
  log,
}) => {
  const id = await log.add({ name: 'Chain', type: 'Drivetrain', kind: 'chain' })
  const requests = listen(page)
  await openLog(page, log.url)
  // The page reads the rides last, ahead of the Rides tab.
  await requests.skip(RIDES)
  await newName(page).fill('Saddle')
  // After a pause in typing, the row asks what the new part replaces.
  await requests.skip('POST rpc/replaced_parts')
  await newName(page).press('Enter')
  await expect(page.getByRole('button', { name: 'Details of Saddle' })).toBeVisible()
  await requests.expect(COMMAND, LOG, USAGE, DUE)
  await change(page, id, 'Cost', '50')
  await requests.expect(COMMAND, LOG)
  await field(rowOf(page, id), 'Start').click()
  await expect(page.getByRole('button', { name: 'First ride' })).toBeVisible()
  await requests.expect()
  await change(page, id, 'Start', '03/01/2024')
  await requests.expect(COMMAND, LOG, USAGE, DUE)

  const chain = await openDetails(page, 'Chain')
  await requests.expect(USAGE, 'GET files')
  await page.getByRole('button', { name: 'Details of Chain' }).click()
  await expect(chain).toHaveCount(0)
  await requests.expect()
  await openDetails(page, 'Chain')
  await requests.skip(USAGE)
  await change(page, id, 'Description', 'KMC')
  await requests.expect(COMMAND, LOG)
  await change(page, id, 'Cost', '60')
  await requests.expect(COMMAND, LOG, USAGE)
  await expect(chain.getByRole('region', { name: 'Lifetime' })).toContainText('$60.00')
  await change(page, id, 'Name', 'KMC chain')
  await requests.expect(COMMAND, LOG, USAGE, DUE)

  const details = page.getByRole('region', { name: 'Details of KMC chain' })
  const dialog = page.getByRole('dialog')
  await details.getByRole('button', { name: 'Add measurement' }).click()
  await dialog.getByLabel('Value').fill('0.25')
  await dialogButton(page, 'Save').click()
  await expect(details.getByRole('row').filter({ hasText: '0.25' })).toBeVisible()
  await requests.expect(COMMAND, USAGE, DUE)
  await details.getByRole('button', { name: 'Add earlier usage' }).click()
  await dialog.getByLabel('Miles').fill('100')
  expect(await axeViolations(page)).toEqual([])
  await dialogButton(page, 'Save').click()
  await expect(details).toContainText('Before this log: 100 mi')
  // A column that the client doesn't tell apart counts as all.
  await requests.expect(COMMAND, LOG, USAGE, DUE, 'GET files')
  await details.getByRole('button', { name: 'Move…' }).click()
  await dialog.getByLabel('To bike').selectOption('Blue Domane')
  await expect(dialog.getByRole('group', { name: 'Comes off Blue Domane' })).toBeVisible()
  await requests.skip()
  await dialogButton(page, 'Move').click()
  await expect(details.getByRole('rowheader', { name: 'Blue Domane' })).toBeVisible()
  await requests.expect(COMMAND, LOG, USAGE, DUE, 'GET files')

  await rowOf(page, id).getByRole('button', { name: 'Delete' }).click()
  await dialogButton(page, 'Delete').click()
  await expect(rowOf(page, id)).toHaveCount(0)
  await requests.expect(COMMAND, LOG, USAGE, DUE, 'GET files')
  await page.getByRole('radio', { name: 'Timeline' }).check()
  const timeline = page.getByRole('group', { name: /^Timeline of the log/ })
  await expect(timeline.getByRole('link', { name: /^Saddle/ })).toBeVisible()
  await requests.skip(USAGE)
  await page
    .getByRole('alert')
    .filter({ hasText: 'was deleted' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(timeline.getByRole('link', { name: /^KMC chain/ })).toBeVisible()
  await requests.expect(COMMAND, LOG, USAGE, DUE)
})

test('details that fail can be tried again, and the numbers of the log stay', async ({ page, log }) => {
  const id = await log.add({ name: 'Chain', type: 'Drivetrain', kind: 'chain' })
  await openLog(page, log.url)
  const miles = rowOf(page, id).getByRole('link', { name: / mi$/ })
  await expect(miles).toBeVisible()
  const url = '**/functions/v1/maintenance-use'
  await page.route(url, (route) => route.fulfill({ status: 500, json: { code: 'internal', message: '' } }))
  await page.getByRole('button', { name: 'Details of Chain' }).click()
  const details = page.getByRole('region', { name: 'Details of Chain' })
  await expect(details.getByText(/^The details could not be loaded\./)).toBeVisible()
  await expect(miles).toBeVisible()
  await expect(page.getByText(/could not be calculated/)).toHaveCount(0)
  await page.unroute(url)
  await details.getByRole('button', { name: 'Try again' }).click()
  await expect(details.getByRole('heading', { name: 'History' })).toBeVisible()
})
