import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import Papa from 'papaparse'
import { temporaryFolder } from '../running.ts'
import { command } from '../stack/commands.ts'
import { expectAccessible } from './axe.ts'
import { bikes, expect, openAccount, openMainScreen, test, signInOwner } from './fixtures.ts'

test.beforeEach(({ page, sample }) => openMainScreen(page, sample.url))

async function choose(page: Page, choice: string) {
  await openAccount(page)
  await page.getByRole('button', { name: 'Export' }).press('Enter')
  await page.getByRole('button', { name: choice }).press('Enter')
}

async function download(page: Page, choice: string) {
  const [file] = await Promise.all([page.waitForEvent('download'), choose(page, choice)])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('saves the log of all bikes as CSV, with the numbers on the screen', async ({ page, sample }) => {
  const owner = await signInOwner(sample.url)
  const { data: stored } = await owner.from('maintenance').select('*')
  const { name, text } = await download(page, 'Maintenance log (CSV)')
  expect(name).toMatch(/^maintenance-log-\d{4}-\d\d-\d\d\.csv$/)
  expect(text.startsWith('\uFEFFID,Bike ID,Bike,Type,Name,Description,Cost,Start,End,')).toBe(true)
  const { data: lines } = Papa.parse<Record<string, string>>(text.slice(1), {
    header: true,
    skipEmptyLines: true,
  })
  expect(lines).toHaveLength(stored!.length)
  for (const line of lines) {
    const item = stored!.find(({ id }) => String(id) === line['ID'])!
    expect(line).toMatchObject({
      'Bike ID': String(item.bikeId),
      Type: item.type ?? '',
      Name: item.name,
      Description: item.description ?? '',
      Cost: String(item.cost),
      Start: item.dateStarted.slice(0, 10),
      End: item.dateEnded?.slice(0, 10) ?? '',
    })
  }
  await expect(page.getByText(`Saved the maintenance log: ${stored!.length} entries.`)).toBeVisible()

  // The numbers match the screen.
  await bikes(page).getByRole('button').first().click()
  const shown = page.getByRole('row').nth(1)
  await expect(shown).toContainText(/\d\u00a0mi/)
  const bike = (await bikes(page).getByRole('button').first().textContent())!
  const first = lines.find((line) => line['Bike'] === bike)!
  await expect(shown).toContainText(Number(first['Use Miles']).toLocaleString('en-US'))
  await expect(shown).toContainText(first['Use Time']!)
})

test('npm run restore restores a backup saved in the browser without loss', async ({ page }) => {
  const { name, text } = await download(page, 'Everything (JSON)')
  expect(name).toMatch(/^rwgps-maintenance-tracker-\d{4}-\d\d-\d\d\.json$/)

  const { folder, remove } = await temporaryFolder()
  const environment = { TRACKER_DATA_DIR: path.join(folder, 'empty') }
  await writeFile(path.join(folder, name), text)
  const restored = await command('restore', [path.join(folder, name)], environment)
  expect(restored.output).toMatch(/^Restored 4 bikes, \d\d+ log entries, \d{3,} rides\.\n$/)
  await command('backup', [path.join(folder, 'again.json')], environment)
  expect(await readFile(path.join(folder, 'again.json'), 'utf8')).toBe(text)
  await remove()
})

test('shows the progress of a backup, and a failure leaves no file', async ({ page }) => {
  let pages = 0
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  await page.route('**/rpc/backup_page', async (route) => {
    const { relation } = route.request().postDataJSON() as { relation: string }
    if (relation !== 'rides' || ++pages < 2) return route.fallback()
    await held
    return route.abort('connectionfailed')
  })
  let saved = false
  page.on('download', () => (saved = true))
  await choose(page, 'Everything (JSON)')
  await expect(page.getByRole('status').filter({ hasText: /Loading rides: [\d,]+ of [\d,]+/ })).toBeVisible()
  await openAccount(page)
  await expect(page.getByRole('button', { name: 'Export' })).toHaveAttribute('aria-busy', 'true')
  go()
  await expect(page.getByRole('alert')).toContainText('Nothing was saved. The tracker cannot be reached.')
  await expect(page.getByRole('button', { name: 'Export' })).toHaveAttribute('aria-busy', 'false')
  expect(saved).toBe(false)
})

test('saves the log of the chosen bike as CSV', async ({ page }) => {
  await bikes(page).getByRole('button', { name: 'Warbird' }).click()
  await expect(page.getByRole('heading', { name: 'Warbird' })).toBeVisible()
  const { name, text } = await download(page, 'Log of this bike (CSV)')
  expect(name).toMatch(/^maintenance-log-warbird-\d{4}-\d\d-\d\d\.csv$/)
  const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true })
  expect(new Set(data.map((line) => line['Bike']))).toEqual(new Set(['Warbird']))
})

test('Escape closes the account menu and returns the focus', async ({ page }) => {
  await openAccount(page)
  await page.getByRole('button', { name: 'Export' }).press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Maintenance log (CSV)' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Export' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Account', exact: true })).toBeFocused()
})

test('has no accessibility violations with the choices open', async ({ page }) => {
  await openAccount(page)
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(page.getByRole('button', { name: 'Everything (JSON)' })).toBeVisible()
  await expectAccessible(page)
})
