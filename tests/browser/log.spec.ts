import type { Locator, Page } from '@playwright/test'
import type { OwnerClient } from '../owner.ts'
import { bikes, expect, headers, openMainScreen, test, signInOwner } from './fixtures.ts'

const BIKE = 'Warbird'
let owner: OwnerClient
let bikeId: number
let log: string

test.beforeEach(async ({ sample }) => {
  owner = await signInOwner(sample.url)
  const { data } = await owner.from('bikes').select('gear_id').eq('name', BIKE).single()
  bikeId = data!.gear_id
  await owner.from('maintenance').delete().eq('bikeId', bikeId)
  log = `${sample.url}/#bike=${bikeId}`
})

test.afterEach(() => owner.from('maintenance').delete().eq('bikeId', bikeId))

async function addItem(item: {
  name: string
  cost?: number
  dateEnded?: string
  type?: string
  description?: string
}) {
  const { data } = await owner
    .from('maintenance')
    .insert({ bikeId, dateStarted: '2024-03-10 01:00:00', cost: 45, ...item })
    .select('id')
    .single()
  return data!.id
}

async function stored(id: number) {
  const columns = 'id, bikeId, type, name, description, cost, dateStarted, dateEnded'
  return (await owner.from('maintenance').select(columns).eq('id', id).maybeSingle()).data
}

const allItems = async () =>
  (
    await owner
      .from('maintenance')
      .select('id, name, cost, type, dateStarted, dateEnded')
      .eq('bikeId', bikeId)
  ).data!

async function openLog(page: Page) {
  await openMainScreen(page, log)
  await expect(page.getByRole('row').last()).toContainText('Total Cost:')
}

/** The row of an item, by its name. */
const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.locator(`input[value=${JSON.stringify(name)}]`) })

/** Collects the bodies of the page's writes to the log. */
function writes(page: Page): unknown[] {
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.url().includes('/rest/v1/maintenance') && ['PATCH', 'POST'].includes(request.method()))
      sent.push(request.postDataJSON())
  })
  return sent
}

const save = (row: Locator) => row.getByRole('button', { name: /^SAVE/ })

test('+ADD ROW goes to the new row, and Enter adds it, starting today', async ({ page }) => {
  await openLog(page)
  await page.getByRole('button', { name: '+ADD ROW' }).click()
  const name = page.getByPlaceholder('+ Add New Maintenance')
  await expect(name).toBeFocused()
  await name.fill('  Bottom bracket  ')
  await name.press('Enter')
  await expect(rowOf(page, 'Bottom bracket')).toBeVisible()
  await expect(name).toHaveValue('')

  const today = await page.evaluate(() => new Intl.DateTimeFormat('sv-SE').format(new Date()))
  expect(await allItems()).toEqual([
    {
      id: expect.any(Number),
      name: 'Bottom bracket',
      cost: 0,
      type: null,
      dateStarted: `${today}T01:00:00`,
      dateEnded: null,
    },
  ])
})

test('the new row needs a name and saves its other fields', async ({ page }) => {
  await openLog(page)
  const sent = writes(page)
  const newRow = page.getByRole('row').filter({ has: page.getByPlaceholder('+ Add New Maintenance') })
  await newRow.getByRole('combobox', { name: 'Type' }).selectOption('Tires')
  await newRow.getByRole('textbox', { name: 'Cost' }).fill('$1,234.56')
  await newRow.getByRole('textbox', { name: 'Cost' }).press('Enter')
  await expect(newRow).toContainText('Enter a name first.')
  expect(sent).toEqual([])

  await page.getByPlaceholder('+ Add New Maintenance').fill('Front tire')
  await newRow.getByRole('textbox', { name: 'Start' }).fill('02/29/2024')
  await save(newRow).click()
  // Until it is saved, the new row has this name too.
  await expect(page.getByPlaceholder('+ Add New Maintenance')).toHaveValue('')
  await expect(rowOf(page, 'Front tire')).toBeVisible()
  expect(await allItems()).toEqual([
    expect.objectContaining({
      name: 'Front tire',
      cost: 1234,
      type: 'Tires',
      dateStarted: '2024-02-29T01:00:00',
    }),
  ])
  expect(sent).toHaveLength(1)
})

test('every column can be edited in place, and SAVE sends only that column', async ({ page }) => {
  const id = await addItem({ name: 'Chain', description: 'old' })
  await openLog(page)
  const sent = writes(page)
  const cell = (column: string) =>
    page.getByRole('row').nth(1).getByRole('textbox', { name: column, exact: true })
  const row = page.getByRole('row').nth(1)
  expect(await headers(page)).toEqual([
    'Type',
    'Name',
    'Description',
    'Cost',
    'Start',
    'End',
    'Use Miles',
    'Use Time',
    'Delete',
  ])
  const types = row.getByRole('combobox', { name: 'Type' }).getByRole('option')
  await expect(types).toHaveText([
    '',
    'Frame',
    'Wheels',
    'Pedals',
    'Tires',
    'Drivetrain',
    'Brakes',
    'Handlebar',
    'Saddle',
  ])

  await row.getByRole('combobox', { name: 'Type' }).selectOption('Drivetrain')
  await expect(row.locator('[data-dirty="true"]')).toHaveCount(1)
  await save(row).click()
  await expect(row.locator('[data-dirty="true"]')).toHaveCount(0)

  for (const [column, typed] of [
    ['Name', ' KMC X11 '],
    ['Description', 'nickel'],
    ['Cost', '$1,050.99'],
    ['Start', '3/9/2024'],
    ['End', '11/03/2024'],
  ] as const) {
    await cell(column).fill(typed)
    await expect(row.locator('[data-dirty="true"]')).toHaveCount(1)
    await cell(column).press('Enter')
    await expect(row.locator('[data-dirty="true"]')).toHaveCount(0)
    await expect(cell(column)).toBeFocused()
  }
  expect(sent).toEqual([
    { type: 'Drivetrain' },
    { name: 'KMC X11' },
    { description: 'nickel' },
    { cost: 1050 },
    { dateStarted: '2024-03-09 01:00:00' },
    { dateEnded: '2024-11-03 01:00:00' },
  ])
  expect(await stored(id)).toEqual({
    id,
    bikeId,
    type: 'Drivetrain',
    name: 'KMC X11',
    description: 'nickel',
    cost: 1050,
    dateStarted: '2024-03-09T01:00:00',
    dateEnded: '2024-11-03T01:00:00',
  })
  await expect(cell('Cost')).toHaveValue('$1,050.00')
  await expect(cell('Start')).toHaveValue('03/09/2024')
})

test('Type and End can be cleared', async ({ page }) => {
  const id = await addItem({ name: 'Chain', type: 'Drivetrain', dateEnded: '2024-06-01 01:00:00' })
  await openLog(page)
  const row = rowOf(page, 'Chain')
  await row.getByRole('button', { name: 'Clear End' }).click()
  await expect(row.locator('[data-dirty="true"]')).toHaveCount(1)
  expect((await stored(id))!.dateEnded).toBe('2024-06-01T01:00:00')
  await save(row).click()
  await expect(row.locator('[data-dirty="true"]')).toHaveCount(0)
  await expect(row.getByRole('button', { name: 'Clear End' })).toHaveCount(0)
  await row.getByRole('combobox', { name: 'Type' }).selectOption('')
  await save(row).click()
  await expect(row.locator('[data-dirty="true"]')).toHaveCount(0)
  expect(await stored(id)).toMatchObject({ type: null, dateEnded: null })
})

test('SAVE and Clear End focus their field without opening a calendar', async ({ page }) => {
  await addItem({ name: 'Chain', dateEnded: '2024-06-01 01:00:00' })
  await openLog(page)
  const row = rowOf(page, 'Chain')
  const calendar = page.locator('.react-datepicker')
  await row.getByRole('textbox', { name: 'Start' }).fill('3/9/2024')
  await expect(calendar).toBeVisible()
  await save(row).click()
  await expect(row.locator('[data-dirty="true"]')).toHaveCount(0)
  await expect(row.getByRole('textbox', { name: 'Start' })).toBeFocused()
  await expect(calendar).toHaveCount(0)

  await row.getByRole('button', { name: 'Clear End' }).click()
  await expect(row.getByRole('textbox', { name: 'End' })).toBeFocused()
  await expect(calendar).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(row.getByRole('textbox', { name: 'End' })).toHaveValue('06/01/2024')
})

test('Clear description empties the description, and Escape restores it', async ({ page }) => {
  const id = await addItem({ name: 'Chain', description: 'nickel' })
  await openLog(page)
  const sent = writes(page)
  const row = rowOf(page, 'Chain')
  const field = row.getByRole('textbox', { name: 'Description' })
  await row.getByRole('button', { name: 'Clear description' }).click()
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(field).toHaveValue('nickel')
  // Also after the text was emptied by typing.
  await field.fill('')
  await expect(save(row)).toBeDisabled()
  await row.getByRole('button', { name: 'Clear description' }).click()
  await save(row).click()
  await expect(row.locator('[data-dirty="true"]')).toHaveCount(0)
  await expect(row.getByRole('button', { name: 'Clear description' })).toHaveCount(0)
  expect(sent).toEqual([{ description: null }])
  expect((await stored(id))!.description).toBeNull()
})

test('saves costs as integers, and 0 for text that is not a number', async ({ page }) => {
  const id = await addItem({ name: 'Chain' })
  await openLog(page)
  const field = rowOf(page, 'Chain').getByRole('textbox', { name: 'Cost' })
  for (const [typed, cost] of [
    ['-5', -5],
    ['12.99', 12],
    ['$1,234.56', 1234],
    ['abc', 0],
  ] as const) {
    await field.fill(typed)
    await field.press('Enter')
    await expect.poll(async () => (await stored(id))!.cost).toBe(cost)
    await expect(rowOf(page, 'Chain').locator('[data-dirty="true"]')).toHaveCount(0)
  }
})

test('rejects an ambiguous cost and keeps it as typed', async ({ page }) => {
  await addItem({ name: 'Chain' })
  await openLog(page)
  const sent = writes(page)
  const field = rowOf(page, 'Chain').getByRole('textbox', { name: 'Cost' })
  for (const typed of ['45,50', '1.200', '1e9']) {
    await field.fill(typed)
    await field.press('Enter')
    await expect(field).toHaveValue(typed)
    await expect(field).toHaveAccessibleDescription('Enter an amount such as 45 or 1,234.50.')
  }
  expect(sent).toEqual([])
})

test('leaving a cell never saves, Escape reverts, and retyping the old value removes the draft', async ({
  page,
}) => {
  await addItem({ name: 'Chain', description: 'nickel' })
  await openLog(page)
  const sent = writes(page)
  const row = page.getByRole('row').nth(1)
  const name = row.getByRole('textbox', { name: 'Name' })
  await name.fill('Chains')
  await name.press('Tab')
  await page.getByRole('heading', { name: BIKE }).click()
  await expect(row.locator('[data-dirty="true"]')).toHaveCount(1)
  await name.press('Escape')
  await expect(name).toHaveValue('Chain')
  await expect(row.locator('[data-dirty="true"]')).toHaveCount(0)
  await name.fill('Chains')
  await name.press('Backspace')
  await expect(row.locator('[data-dirty="true"]')).toHaveCount(0)
  for (const column of ['Description', 'Cost', 'Name']) {
    const field = row.getByRole('textbox', { name: column, exact: true })
    await field.fill('')
    await expect(save(row)).toBeDisabled()
    await expect(save(row)).toHaveAccessibleDescription('Enter a value.')
    await field.press('Enter')
    await field.press('Escape')
  }
  expect(sent).toEqual([])
})

test('keys that compose characters neither save, revert nor move', async ({ page }) => {
  await addItem({ name: 'Chain' })
  await openLog(page)
  const sent = writes(page)
  const name = page.getByRole('row').nth(1).getByRole('textbox', { name: 'Name' })
  await name.fill('チ')
  for (const composing of [{ isComposing: true }, { keyCode: 229 }])
    for (const key of ['Enter', 'Escape', 'ArrowDown', 'ArrowUp'])
      await name.dispatchEvent('keydown', { key, bubbles: true, ...composing })
  await expect(name).toHaveValue('チ')
  await expect(name).toBeFocused()
  expect(sent).toEqual([])
})

test('renders every row in a window without height', async ({ page }) => {
  for (const name of ['Chain', 'Saddle']) await addItem({ name })
  await page.addInitScript(() => Object.defineProperty(window, 'innerHeight', { value: 0 }))
  await openLog(page)
  await expect(page.getByRole('row')).toHaveCount(5)
})

test('rejects an invalid date with a message and keeps it as typed', async ({ page }) => {
  await addItem({ name: 'Chain' })
  await openLog(page)
  const sent = writes(page)
  const row = rowOf(page, 'Chain')
  for (const [column, typed] of [
    ['Start', '13/45/2024'],
    ['Start', '02/30/2024'],
    ['Start', '01/01/0001'],
    ['Start', '01/01/2101'],
    ['Start', 'tomorrow'],
    ['End', '03/09/2024'],
  ] as const) {
    const field = row.getByRole('textbox', { name: column })
    await field.fill(typed)
    await field.press('Enter')
    await expect(field).toHaveValue(typed)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(/\S+ \S+/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(field).not.toHaveValue(typed)
  }
  expect(sent).toEqual([])
})

test('Delete asks first, with the focus on Cancel, and Undo restores the item', async ({ page }) => {
  const id = await addItem({
    name: 'Chain',
    type: 'Drivetrain',
    description: 'nickel',
    dateEnded: '2024-06-01 01:00:00',
  })
  const before = await stored(id)
  await openLog(page)
  await rowOf(page, 'Chain').getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Are you sure to delete this record?')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  expect(await stored(id)).toEqual(before)

  const deletion = page.waitForRequest((request) => request.method() === 'DELETE')
  await rowOf(page, 'Chain').getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  expect((await deletion).url()).toMatch(new RegExp(`(?=.*bikeId=eq\\.${bikeId})(?=.*[?&]id=eq\\.${id})`))
  await expect(rowOf(page, 'Chain')).toHaveCount(0)
  expect(await stored(id)).toBeNull()

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rowOf(page, 'Chain')).toBeVisible()
  expect(await stored(id)).toEqual(before)
})

test('drafts survive saving another column, switching tab and bike, and a reload', async ({ page }) => {
  await addItem({ name: 'Chain' })
  await openLog(page)
  const row = page.getByRole('row').nth(1)
  await row.getByRole('textbox', { name: 'Description' }).fill('half typed')
  await page.getByPlaceholder('+ Add New Maintenance').fill('half a name')
  await row.getByRole('textbox', { name: 'Cost' }).fill('50')
  await row.getByRole('textbox', { name: 'Cost' }).press('Enter')
  await expect(row.getByRole('textbox', { name: 'Cost' })).toHaveValue('$50.00')
  await page.getByRole('tab', { name: 'Rides' }).click()
  await bikes(page).getByRole('button', { name: 'Surly Cross-Check' }).click()
  await page.getByRole('tab', { name: 'Maintenance Log' }).click()
  await bikes(page).getByRole('button', { name: BIKE }).click()
  await page.reload()
  await expect(row.getByRole('textbox', { name: 'Description' })).toHaveValue('half typed')
  await expect(page.getByPlaceholder('+ Add New Maintenance')).toHaveValue('half a name')
})

test('a failed save shows a toast and keeps the draft', async ({ page }) => {
  const id = await addItem({ name: 'Chain' })
  await openLog(page)
  await page.route('**/rest/v1/maintenance*', (route) =>
    route.request().method() === 'PATCH' ? route.abort('connectionfailed') : route.fallback(),
  )
  const name = page.getByRole('row').nth(1).getByRole('textbox', { name: 'Name' })
  await name.fill('Belt')
  await name.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: /Name/ })).toBeVisible()
  await expect(name).toHaveValue('Belt')
  expect((await stored(id))!.name).toBe('Chain')
})

test('saves markup, quotes, percent signs, emoji and right-to-left text unchanged', async ({ page }) => {
  const id = await addItem({ name: 'Chain' })
  await openLog(page)
  const text = `<img src=x onerror=alert(1)> "'\`%_\\ 🚲 مرحبا`
  const name = page.getByRole('row').nth(1).getByRole('textbox', { name: 'Name' })
  await name.fill(text)
  await name.press('Enter')
  await expect(page.getByRole('row').nth(1).locator('[data-dirty="true"]')).toHaveCount(0)
  expect((await stored(id))!.name).toBe(text)
  await page.reload()
  await expect(name).toHaveValue(text)
})

test('Total Cost includes every item of a log with more than 1,000 items', async ({ page }) => {
  const items = Array.from({ length: 1200 }, (_, n) => ({
    bikeId,
    name: `Part ${n}`,
    cost: 1,
    dateStarted: `20${10 + (n % 10)}-01-01 01:00:00`,
  }))
  await owner.from('maintenance').insert(items)
  await addItem({ name: 'Newest', cost: 1000 })
  await openLog(page)
  await expect(page.getByRole('row').last()).toContainText('$2,200.00')
})

/** Delivers requests with this method to the log, but loses their responses. */
async function loseResponses(page: Page, method: string) {
  await page.route('**/rest/v1/maintenance*', async (route) => {
    if (route.request().method() !== method) return route.fallback()
    await route.fetch()
    return route.abort('connectionreset')
  })
  return () => page.unroute('**/rest/v1/maintenance*')
}

test('adds an item once when the response is lost', async ({ page }) => {
  await openLog(page)
  await loseResponses(page, 'POST')
  await page.getByPlaceholder('+ Add New Maintenance').fill('Belt')
  await page.getByPlaceholder('+ Add New Maintenance').press('Enter')
  await expect(rowOf(page, 'Belt')).toBeVisible()
  await expect(page.getByPlaceholder('+ Add New Maintenance')).toHaveValue('')
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect((await allItems()).map(({ name }) => name)).toEqual(['Belt'])
})

test('pressing SAVE again after a broken connection adds the item once', async ({ page }) => {
  await openLog(page)
  const restore = await loseResponses(page, 'POST')
  // The lookup fails too.
  await page.route('**/rest/v1/maintenance?*request_key=eq*', (route) =>
    route.fulfill({ status: 500, json: {} }),
  )
  await page.getByPlaceholder('+ Add New Maintenance').fill('Belt')
  await page.getByPlaceholder('+ Add New Maintenance').press('Enter')
  await expect(page.getByRole('alert')).toContainText('The log entry may or may not have been added.')
  await restore()
  await page.unroute('**/rest/v1/maintenance?*request_key=eq*')
  await page.reload()
  await page.getByPlaceholder('+ Add New Maintenance').press('Enter')
  await expect(page.getByPlaceholder('+ Add New Maintenance')).toHaveValue('')
  expect((await allItems()).map(({ name }) => name)).toEqual(['Belt'])
})

test('Delete and Undo work when their responses are lost', async ({ page }) => {
  const id = await addItem({ name: 'Chain' })
  const before = await stored(id)
  await openLog(page)
  await loseResponses(page, 'DELETE')
  await loseResponses(page, 'POST')
  await rowOf(page, 'Chain').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(rowOf(page, 'Chain')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rowOf(page, 'Chain')).toBeVisible()
  expect(await stored(id)).toEqual(before)
  await expect(page.getByRole('alert').filter({ hasText: 'not' })).toHaveCount(0)
})

test('Undo restores an edit made elsewhere', async ({ page }) => {
  const id = await addItem({ name: 'Chain' })
  await openLog(page)
  await owner.from('maintenance').update({ cost: 99, description: 'waxed' }).eq('id', id)
  const before = await stored(id)
  await rowOf(page, 'Chain').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rowOf(page, 'Chain').getByRole('textbox', { name: 'Cost' })).toHaveValue('$99.00')
  expect(await stored(id)).toEqual(before)
})

test('shows what is in use, sorted and grouped, and keeps the item being edited', async ({ page }) => {
  await addItem({ name: 'Chain', type: 'Drivetrain', cost: 40 })
  await addItem({ name: 'Cassette', type: 'Drivetrain', cost: 90 })
  await addItem({ name: 'Wax', cost: 8, dateEnded: '2024-03-10 01:00:00' })
  await openLog(page)
  const names = () =>
    page
      .getByRole('textbox', { name: 'Name' })
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
  const total = page.getByRole('row', { name: 'Total Cost:' })
  await page.getByRole('radio', { name: 'In use' }).check()
  await expect(rowOf(page, 'Wax')).toHaveCount(0)
  await expect(page).toHaveURL(/show=in-use/)
  await expect(total).toContainText('$138.00')
  await expect(total).toContainText('In use: $130.00')

  await page.getByRole('columnheader', { name: 'Cost', exact: true }).getByRole('button').click()
  await page.getByRole('columnheader', { name: 'Cost', exact: true }).getByRole('button').click()
  await expect.poll(names).toEqual(['Cassette', 'Chain', ''])
  await page.getByRole('button', { name: 'Group by type' }).click()
  await expect(page.getByRole('row', { name: 'Drivetrain 2' })).toContainText('$130.00')
  await page.reload()
  await expect.poll(names).toEqual(['Cassette', 'Chain', ''])

  const end = rowOf(page, 'Chain').getByRole('textbox', { name: 'End' })
  await end.fill('04/01/2024')
  await end.press('Enter')
  await expect(total).toContainText('In use: $90.00')
  await expect(end).toBeFocused()
  await rowOf(page, 'Cassette').getByRole('textbox', { name: 'Name' }).focus()
  await expect(rowOf(page, 'Chain')).toHaveCount(0)
  await page.getByRole('columnheader', { name: 'Start', exact: true }).getByRole('button').click()
  await page.getByRole('button', { name: 'Group by type' }).click()
  await page.getByRole('radio', { name: 'All' }).check()
  await expect(page).toHaveURL(/#bike=\d+$/)
  await expect.poll(names).toEqual(['Chain', 'Cassette', 'Wax', ''])
})

test('the calendar of Start offers Today and the first ride, saved by the next Enter', async ({ page }) => {
  const id = await addItem({ name: 'Chain' })
  await openLog(page)
  const start = rowOf(page, 'Chain').getByRole('textbox', { name: 'Start' })
  await start.click()
  await page.getByRole('button', { name: 'First ride' }).click()
  const { data } = await owner
    .from('rides')
    .select('started_at')
    .eq('gear_id', bikeId)
    .order('started_at')
    .limit(1)
    .single()
  const [year, month, day] = data!.started_at!.slice(0, 10).split('-')
  await expect(start).toHaveValue(`${month}/${day}/${year}`)
  await expect(start).toBeFocused()
  await start.press('Enter')
  await expect.poll(async () => (await stored(id))!.dateStarted).toBe(`${year}-${month}-${day}T01:00:00`)
  const end = rowOf(page, 'Chain').getByRole('textbox', { name: 'End' })
  await end.click()
  await page.getByRole('button', { name: 'Today' }).click()
  const today = await page.evaluate(() =>
    new Intl.DateTimeFormat('en-US', { year: 'numeric', month: '2-digit', day: '2-digit' }).format(
      new Date(),
    ),
  )
  await expect(end).toHaveValue(today)
})
