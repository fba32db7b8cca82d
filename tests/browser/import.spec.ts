import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { signIn as signInOwner, type OwnerClient } from '../owner.ts'
import { findings } from './axe.ts'
import { expect, openMainScreen, test } from './fixtures.ts'

const BIKE = 'Warbird'
const HEAD = 'ID,Bike,Type,Name,Description,Cost,Start,End'
let owner: OwnerClient
let bikeId: number
let chain: number

test.beforeEach(async ({ page, sample }) => {
  owner = await signInOwner(sample.url)
  bikeId = (await owner.from('bikes').select('gear_id').eq('name', BIKE).single()).data!.gear_id
  await owner.from('maintenance').delete().eq('bikeId', bikeId)
  const part = { bikeId, name: 'Chain', cost: 45.1, dateStarted: '2024-01-10 14:30:00.5' }
  chain = (await owner.from('maintenance').insert(part).select('id').single()).data!.id
  await openMainScreen(page, sample.url)
})

const stored = async () =>
  (await owner.from('maintenance').select('*').order('id')).data!.map((item) => JSON.stringify(item))
const ofBike = async () =>
  (await owner.from('maintenance').select('*').eq('bikeId', bikeId).order('id')).data!

const dialog = (page: Page) => page.getByRole('dialog')
const confirm = (page: Page) => dialog(page).getByRole('button', { name: /^Import \d+ records?$/ })

async function choose(page: Page, text: string, name = 'log.csv') {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import', exact: true }).press('Enter'),
  ])
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await expect(dialog(page).getByRole('status')).not.toHaveText(/^Reading/)
}

test('the file of Export, edited and imported, is exactly the edit; its preview writes nothing', async ({
  page,
  context,
  sample,
}) => {
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Maintenance log (CSV)' }).click(),
  ])
  const exported = await readFile(await download.path(), 'utf8')
  await choose(page, exported)
  await expect(dialog(page)).toContainText('there is nothing to import')
  await expect(confirm(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeFocused()

  // Another tab shows the log, and something half typed.
  const other = await context.newPage()
  await other.goto(`${sample.url}/#bike=${bikeId}`)
  await other.getByRole('row').nth(1).getByRole('textbox', { name: 'Description' }).fill('half typed')

  const before = await stored()
  const edited = `${exported.replace(',Chain,,45.1,', ',Chain,waxed,49.99,')},${bikeId},,Tires,Tube,"a, b",9.5,3/1/2024,,,\r\n`
  await choose(page, edited)
  await expect(dialog(page)).toContainText('1 to add, 1 to change,')
  await expect(dialog(page)).toContainText('Description: empty → waxed')
  await expect(dialog(page)).toContainText('Cost: $45.10 → $49.99')
  await expect(dialog(page)).toContainText('Warbird, Tires, a, b, $9.50, from 03/01/2024')
  expect(await stored()).toEqual(before)

  await confirm(page).press('Enter')
  await expect(page.getByText('Imported: 1 record added, 1 record changed.')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  expect(await ofBike()).toEqual([
    expect.objectContaining({
      id: chain,
      name: 'Chain',
      description: 'waxed',
      cost: 49.99,
      dateStarted: '2024-01-10T14:30:00.5',
    }),
    expect.objectContaining({ type: 'Tires', name: 'Tube', cost: 9.5, dateStarted: '2024-03-01T01:00:00' }),
  ])
  expect((await stored()).filter((item) => before.includes(item))).toHaveLength(before.length - 1)

  const row = other.getByRole('row').nth(1)
  await expect(row.getByRole('textbox', { name: 'Cost' })).toHaveValue('$49.99')
  await expect(row.getByRole('textbox', { name: 'Description' })).toHaveValue('half typed')
  await expect(row).toContainText('Changed elsewhere to “waxed”.')

  await choose(page, edited)
  await expect(dialog(page)).toContainText('there is nothing to import')
})

test('with a line that cannot be taken nothing is imported, and the corrected file can be chosen at once', async ({
  page,
}) => {
  const before = await stored()
  await choose(page, `${HEAD}\n${chain},,,Chain,,50,2024-01-10,\n,${BIKE},Motor,,,abc,30.02.2024,`)
  await expect(dialog(page)).toContainText('1 line cannot be taken, so nothing is imported.')
  await expect(dialog(page)).toContainText(
    'Line 3Type: Choose one from the list. Name: Enter a value. Cost: Enter an amount such as 45 or 1,234.50. Start: Enter a date as',
  )
  await expect(confirm(page)).toHaveCount(0)
  expect(await stored()).toEqual(before)

  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog(page).getByRole('button', { name: 'Choose another file' }).click(),
  ])
  const buffer = Buffer.from(`${HEAD}\n${chain},,,Chain,,50,2024-01-10,`)
  await chooser.setFiles({ name: 'right.csv', mimeType: 'text/csv', buffer })
  await expect(dialog(page).getByRole('heading', { name: 'Import right.csv' })).toBeVisible()
  await confirm(page).click()
  await expect(dialog(page)).toHaveCount(0)
  expect((await ofBike())[0]!.cost).toBe(50)
})

for (const [what, change] of [
  ['changed', () => owner.from('maintenance').update({ cost: 1 }).eq('id', chain)],
  ['deleted', () => owner.from('maintenance').delete().eq('id', chain)],
  [
    'added to',
    () => owner.from('maintenance').insert({ bikeId, name: 'Bell', dateStarted: '2024-01-01 01:00:00' }),
  ],
] as const) {
  test(`a log that is ${what} after the preview is not written to, and gets another preview`, async ({
    page,
  }) => {
    await choose(page, `${HEAD}\n${chain},${BIKE},,Chain,,50,2024-01-10,\n,${BIKE},,Tube,,9,2024-01-10,`)
    await expect(confirm(page)).toBeVisible()
    await change()
    const before = await stored()
    await confirm(page).click()
    await expect(dialog(page).getByRole('alert')).toContainText(
      'Nothing was saved because the log has changed.',
    )
    expect(await stored()).toEqual(before)
    await confirm(page).click()
    await expect(dialog(page)).toHaveCount(0)
    expect((await ofBike()).filter(({ name }) => name !== 'Bell').map(({ cost }) => cost)).toEqual([50, 9])
  })
}

test('an import that fails on its way is told in the dialog, which stays', async ({ page }) => {
  const before = await stored()
  await choose(page, `${HEAD}\n${chain},${BIKE},,Chain,,50,2024-01-10,`)
  await page.route('**/rpc/import_maintenance', (route) => route.abort('connectionfailed'))
  await confirm(page).click()
  await expect(dialog(page).getByRole('alert')).toContainText('The tracker cannot be reached.')
  expect(await stored()).toEqual(before)
  await page.unroute('**/rpc/import_maintenance')
  await confirm(page).click()
  await expect(dialog(page)).toHaveCount(0)
})

for (const [what, content, words] of [
  ['no log', 'hello', 'its first line has to name the columns'],
  [
    'no text',
    Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0, 0xfe]).toString('latin1'),
    'This file is not text in UTF-8',
  ],
  ['too large', `${HEAD}\n${'x'.repeat(5_000_000)}`, 'larger than 5 MB'],
] as const) {
  test(`a file that is ${what} is refused in a sentence`, async ({ page }) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Import', exact: true }).click(),
    ])
    await chooser.setFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from(content, 'latin1') })
    await expect(dialog(page).getByRole('alert')).toContainText(words)
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog(page)).toHaveCount(0)
  })
}

test('hundreds of records are imported at once, in the order of the file', async ({ page }) => {
  const rows = Array.from({ length: 900 }, (_, n) => `,${BIKE},,Part ${n},,${n},2024-01-10,`)
  await choose(page, [HEAD, ...rows].join('\n'))
  await expect(dialog(page).getByRole('listitem')).toHaveCount(100)
  await dialog(page).getByRole('button', { name: 'Show all 900' }).click()
  await expect(dialog(page).getByRole('listitem')).toHaveCount(900)
  await confirm(page).click()
  await expect(dialog(page)).toHaveCount(0)
  const names = (await ofBike()).slice(1).map(({ name }) => name)
  expect(names).toEqual(rows.map((_, n) => `Part ${n}`))
})

for (const width of [1440, 375]) {
  test(`axe finds nothing in the preview at ${width} px, with and without refused lines`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 812 })
    const good = `${chain},${BIKE},,Chain,waxed,50,2024-01-10,\n,${BIKE},,Tube,,9,2024-01-10,`
    await choose(page, `${HEAD}\n${good}`)
    await expect(confirm(page)).toBeVisible()
    expect(await findings(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await choose(page, `${HEAD}\n${good}\n,${BIKE},,,,9,2024-01-10,`)
    await expect(dialog(page)).toContainText('cannot be taken')
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  })
}

// The log is left as the other tests of this stack expect it.
test.afterEach(() => owner.from('maintenance').delete().eq('bikeId', bikeId))
