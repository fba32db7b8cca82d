import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { OwnerClient } from '../owner.ts'
import { axeViolations, expectAccessible, PHONE } from './axe.ts'
import { expect, openAccount, openMainScreen, test, signInOwner } from './fixtures.ts'
import { choose, dialog } from './import-page.ts'

const BIKE = 'Warbird'
const HEAD = 'ID,Bike,Type,Name,Description,Cost,Start,End'
let owner: OwnerClient
let bikeId: number
let chain: number

test.beforeEach(async ({ page, sample }) => {
  owner = await signInOwner(sample.url)
  bikeId = (await owner.from('bikes').select('gear_id').eq('name', BIKE).single()).data!.gear_id
  await owner.from('maintenance').delete().eq('bikeId', bikeId)
  const item = { bikeId, name: 'Chain', cost: 45.1, dateStarted: '2024-01-10 14:30:00.5' }
  chain = (await owner.from('maintenance').insert(item).select('id').single()).data!.id
  await openMainScreen(page, `${sample.url}/#bike=${bikeId}`)
})

const stored = async () =>
  (await owner.from('maintenance').select('*').order('id')).data!.map((item) => JSON.stringify(item))
const bikeItems = async () =>
  (await owner.from('maintenance').select('*').eq('bikeId', bikeId).order('id')).data!

const itemRow = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: `Details of ${name}` }) })
const confirm = (page: Page) => dialog(page).getByRole('button', { name: /^Import \d+ log entr(y|ies)$/ })

test('previews an edited export without writing, then imports exactly the edits', async ({
  page,
  context,
  sample,
}) => {
  const { data: parts } = await owner.from('maintenance').select('part_id').eq('id', chain)
  const part = owner.from('parts')
  await part.update({ earlier_distance: 1_930_800, earlier_moving_time: 90 }).eq('id', parts![0]!.part_id)
  await openAccount(page)
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Maintenance log (CSV)' }).click(),
  ])
  const exported = await readFile(await download.path(), 'utf8')
  await choose(page, exported)
  await expect(dialog(page)).toContainText('Nothing to import.')
  await expect(confirm(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeFocused()

  const other = await context.newPage()
  await other.goto(`${sample.url}/#bike=${bikeId}`)
  await itemRow(other, 'Chain').getByRole('textbox', { name: 'Description' }).fill('half typed')

  const before = await stored()
  const edited = `${exported.replace(',Chain,,45.1,', ',Chain,waxed,49.99,').replace(',1930800,90,', ',1609000,,')},${bikeId},,Tires,Tube,"a, b",9.5,3/31/2024,,,,,,,,,,\r\n`
  await choose(page, edited)
  await expect(dialog(page)).toContainText('1 to add, 1 to change,')
  await expect(dialog(page)).toContainText('Description: empty → waxed')
  await expect(dialog(page)).toContainText('Cost: $45.10 → $49.99')
  await expect(dialog(page)).toContainText(
    'Warbird · Type: Tires · Description: a, b · Cost: $9.50 · Start: 03/31/2024',
  )
  await expect(dialog(page)).toContainText('Earlier distance (m): 1930800 → 1609000')
  await expectAccessible(page, [PHONE])
  expect(await stored()).toEqual(before)

  await confirm(page).press('Enter')
  await expect(page.getByText('Imported: 1 log entry added, 1 log entry changed.')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  expect(await bikeItems()).toEqual([
    expect.objectContaining({
      id: chain,
      name: 'Chain',
      description: 'waxed',
      cost: 49.99,
      dateStarted: '2024-01-10T14:30:00.5',
    }),
    expect.objectContaining({ type: 'Tires', name: 'Tube', cost: 9.5, dateStarted: '2024-03-31T01:00:00' }),
  ])
  const { data: earlier } = await part
    .select('earlier_distance, earlier_moving_time')
    .eq('id', parts![0]!.part_id)
  expect(earlier).toEqual([{ earlier_distance: 1_609_000, earlier_moving_time: null }])
  expect((await stored()).filter((item) => before.includes(item))).toHaveLength(before.length - 1)

  const row = itemRow(other, 'Chain')
  await expect(row.getByRole('textbox', { name: 'Cost' })).toHaveValue('$49.99')
  await expect(row.getByRole('textbox', { name: 'Description' })).toHaveValue('half typed')
  await expect(row).toContainText('Changed elsewhere to “waxed”.')

  await choose(page, edited)
  await expect(dialog(page)).toContainText('Nothing to import.')
})

// src/features/import tests rejected files and lines, and lost responses.
test('imports nothing if the file has errors, the log has changed or the tracker is unreachable', async ({
  page,
}) => {
  const before = await stored()
  await choose(page, 'hello')
  await expect(dialog(page).getByRole('alert')).toHaveText(
    'Not a log export: the first line must contain the column names.',
  )
  const [template] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).getByRole('button', { name: 'Template' }).click(),
  ])
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await choose(page, await readFile(await template.path(), 'utf8'))
  await expect(dialog(page).getByRole('region', { name: 'To add: 1' })).toContainText('Chain (example)')
  await page.keyboard.press('Escape')

  await choose(page, `${HEAD}\n${chain},,,Chain,,50,2024-01-10,\n,${BIKE},Motor,,,abc,30.02.2024,`)
  await expect(dialog(page)).toContainText('1 to change, 1 can’t be imported.')
  await expect(dialog(page)).toContainText(
    'Type “Motor”: Choose one from the list. Name: Enter a value. Cost “abc”: Enter an amount such as 45 or 1,234. Start “30.02.2024”: Enter a date as',
  )
  await expect(dialog(page).getByRole('button', { name: 'Import 1, skip 1' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
  expect(await stored()).toEqual(before)

  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog(page).getByRole('button', { name: 'Choose another file' }).click(),
  ])
  const added = Array.from({ length: 110 }, (_, n) => `,${BIKE},,Part ${n},,${n},2024-01-10,`)
  const buffer = Buffer.from([HEAD, `${chain},,,Chain,,50,2024-01-10,`, ...added].join('\n'))
  await chooser.setFiles({ name: 'right.csv', mimeType: 'text/csv', buffer })
  await expect(dialog(page).getByRole('heading', { name: 'Import right.csv' })).toBeVisible()
  const previewed = dialog(page).getByRole('region', { name: 'To add: 110' }).getByRole('listitem')
  await expect(previewed).toHaveCount(100)
  await dialog(page).getByRole('button', { name: 'Show all 110' }).click()
  await expect(previewed).toHaveCount(110)

  await page.route('**/rpc/run_command', (route) => route.abort('connectionfailed'))
  await confirm(page).click()
  await expect(dialog(page).getByRole('alert')).toContainText('nothing is saved twice.')
  expect(await stored()).toEqual(before)
  await page.unroute('**/rpc/run_command')

  await owner.from('maintenance').update({ cost: 1 }).eq('id', chain)
  const changed = await stored()
  await confirm(page).click()
  await expect(dialog(page).getByRole('alert')).toContainText(
    'Nothing was saved because the log has changed.',
  )
  await expect(dialog(page)).toContainText('Cost: $1.00 → $50.00')
  expect(await stored()).toEqual(changed)

  await confirm(page).click()
  await expect(dialog(page)).toHaveCount(0)
  const [first, ...others] = await bikeItems()
  expect(first!.cost).toBe(50)
  expect(others.map(({ name }) => name)).toEqual(added.map((_, n) => `Part ${n}`))
})

test('mends the errors of a file on a phone, in four taps', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  let taps = 0
  const tap = async (target: Locator) => {
    taps += 1
    await target.click()
  }
  await tap(page.getByRole('button', { name: /^Command menu/ }))
  await page.keyboard.type('import')
  const chosen = page.waitForEvent('filechooser')
  await tap(page.getByRole('option', { name: 'Import', exact: true }))
  const text = `${HEAD}\n,${BIKE},,Bell,,abc,2024-01-10,\n,${BIKE},,Horn,,5,30.02.2024,`
  await (await chosen).setFiles({ name: 'log.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  const cost = dialog(page).getByRole('textbox', { name: 'Cost, line 2' })
  await expect(cost).toHaveValue('abc')
  expect(await axeViolations(page)).toEqual([])
  await tap(cost)
  await cost.fill('12')
  await page.keyboard.press('Enter')
  const start = dialog(page).getByRole('textbox', { name: 'Start, line 3' })
  await expect(start).toBeFocused()
  await expect(dialog(page).getByRole('region', { name: 'To add: 1' })).toContainText('Bell')
  await start.fill('02/29/2024')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('button', { name: 'Import 2 log entries' })).toBeFocused()
  await tap(dialog(page).getByRole('button', { name: 'Import 2 log entries' }))
  await expect
    .poll(async () => (await bikeItems()).map(({ name }) => name))
    .toEqual(['Chain', 'Bell', 'Horn'])
  expect(taps).toBe(4)
})

test('asks what a date means if all dates fit two orders', async ({ page }) => {
  const german = { distance: 'km', dates: 'DD.MM.YYYY', currency: 'EUR', week_start: 'Monday' }
  await owner.from('settings').upsert(german, { onConflict: 'is_the_one' })
  await page.reload()
  await choose(page, `Bike,Name,Cost (EUR),Start\n${BIKE},Bell,45.5,03/04/2026\n${BIKE},Tire,12,05/06/26`)
  const question = dialog(page).getByRole('group', { name: 'What does 03/04/2026 mean in this file?' })
  await expect(question.getByRole('radio', { checked: true })).toHaveCount(0)
  await expect(confirm(page)).toBeDisabled()
  await expect(dialog(page)).toContainText('Start: 03.04.2026')
  await question.getByRole('radio', { name: '4 Mar 2026' }).check()
  await expect(dialog(page)).toContainText('Start: 04.03.2026')
  await expect(dialog(page)).toContainText('Start: 06.05.2026')
  await expect(dialog(page)).toContainText('Cost: €45.50')
  await confirm(page).click()
  await expect(dialog(page)).toHaveCount(0)
  const days = (await bikeItems()).map(({ dateStarted }) => dateStarted.slice(0, 10))
  expect(days).toEqual(['2024-01-10', '2026-03-04', '2026-05-06'])
})
