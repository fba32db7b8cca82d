import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import Papa from 'papaparse'
import { COMMUTER } from '../../sample/gear.ts'
import { countRows } from '../owner.ts'
import { expectAccessible, PHONE } from './axe.ts'
import { expect, openAccount, openMainScreen, test, signInOwner } from './fixtures.ts'

test.beforeEach(({ page, sample }) => openMainScreen(page, `${sample.url}/#bike=${COMMUTER}`))

async function choose(page: Page, choice: string) {
  await openAccount(page)
  await page.getByRole('button', { name: 'Export' }).press('Enter')
  await page.getByRole('button', { name: choice }).press('Enter')
}

const parse = (text: string) =>
  Papa.parse<Record<string, string>>(text.replace('\uFEFF', ''), { header: true, skipEmptyLines: true })

async function download(page: Page, choice: string) {
  const [file] = await Promise.all([page.waitForEvent('download'), choose(page, choice)])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

// src/features/export/log-csv.test.ts tests the columns.
test('saves the log of one bike or of all bikes as CSV, with the numbers on the screen', async ({
  page,
  sample,
}) => {
  const owner = await signInOwner(sample.url)
  const stored = await countRows(owner, 'maintenance')
  const { name, text } = await download(page, 'Maintenance log (CSV)')
  expect(name).toMatch(/^maintenance-log-\d{4}-\d\d-\d\d\.csv$/)
  expect(text.startsWith('\uFEFFID,Bike ID,Bike,Type,Name,Description,Cost,Start,End,')).toBe(true)
  const { data: lines } = parse(text)
  expect(lines).toHaveLength(stored)
  await expect(page.getByText(`Saved the maintenance log: ${stored} entries.`)).toBeVisible()

  const ofBike = await download(page, 'Log of this bike (CSV)')
  expect(ofBike.name).toMatch(/^maintenance-log-surly-cross-check-\d{4}-\d\d-\d\d\.csv$/)
  const { data } = parse(ofBike.text)
  expect(data).toEqual(lines.filter((line) => line['Bike'] === 'Surly Cross-Check'))

  const line = data.find(({ Name }) => data.filter((other) => other['Name'] === Name).length === 1)!
  const shown = page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: `Details of ${line['Name']}`, exact: true }) })
  const miles = Number(line['Use Miles']).toLocaleString('en-US', { minimumFractionDigits: 1 })
  await expect(shown).toContainText(`${miles}\u00A0mi`)
  await expect(shown).toContainText(line['Use Time']!)

  await openAccount(page)
  await page.getByRole('button', { name: 'Export' }).press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Maintenance log (CSV)' })).toBeFocused()
  await expectAccessible(page, [PHONE])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Export' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Account', exact: true })).toBeFocused()
})

// tests/stack/backup.test.ts compares the file with the output of `npm run backup`.
test('shows the progress of a backup, and saves either everything or no file', async ({ page, sample }) => {
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  await page.route('**/rpc/backup', async (route) => {
    await held
    return route.abort('connectionfailed')
  })
  let saved = false
  page.on('download', () => (saved = true))
  await choose(page, 'Everything (JSON)')
  await expect(page.getByRole('status').filter({ hasText: 'Loading everything…' })).toBeVisible()
  await openAccount(page)
  await expect(page.getByRole('button', { name: 'Export' })).toHaveAttribute('aria-busy', 'true')
  go()
  await expect(page.getByRole('alert')).toContainText('Nothing was saved. The tracker cannot be reached.')
  await expect(page.getByRole('button', { name: 'Export' })).toHaveAttribute('aria-busy', 'false')
  expect(saved).toBe(false)

  await page.keyboard.press('Escape')
  await page.unroute('**/rpc/backup')
  const { name, text } = await download(page, 'Everything (JSON)')
  expect(name).toMatch(/^rwgps-maintenance-tracker-\d{4}-\d\d-\d\d\.json$/)
  const owner = await signInOwner(sample.url)
  expect(JSON.parse(text).rides).toHaveLength(await countRows(owner, 'rides'))
})
