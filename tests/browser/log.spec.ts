import type { Locator, Page } from '@playwright/test'
import { signIn as signInOwner, type OwnerClient } from '../owner.ts'
import { bikes, expect, openMainScreen, test } from './fixtures.ts'

const BIKE = 'Warbird'
let owner: OwnerClient
let bikeId: number

test.beforeEach(async ({ page, sample }) => {
  owner = await signInOwner(sample.url)
  const { data } = await owner.from('bikes').select('gear_id').eq('name', BIKE).single()
  bikeId = data!.gear_id
  await owner.from('maintenance').delete().eq('bikeId', bikeId)
  await openMainScreen(page, sample.url)
})

test.afterEach(() => owner.from('maintenance').delete().eq('bikeId', bikeId))

async function givePart(part: {
  name: string
  cost?: number
  dateEnded?: string
  type?: string
  description?: string
}) {
  const { data } = await owner
    .from('maintenance')
    .insert({ bikeId, dateStarted: '2024-03-10 01:00:00', cost: 45, ...part })
    .select('id')
    .single()
  return data!.id
}

async function stored(id: number) {
  const columns = 'id, bikeId, type, name, description, cost, dateStarted, dateEnded'
  return (await owner.from('maintenance').select(columns).eq('id', id).maybeSingle()).data
}

const allStored = async () =>
  (
    await owner
      .from('maintenance')
      .select('id, name, cost, type, dateStarted, dateEnded')
      .eq('bikeId', bikeId)
  ).data!

async function openLog(page: Page) {
  await bikes(page).getByRole('button', { name: BIKE }).click()
  await expect(page.getByRole('row').last()).toContainText('Total Cost:')
}

/** The row of a record, found by its name's editor. */
const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.locator(`input[value=${JSON.stringify(name)}]`) })

/** The bodies of the writes that the page sends to the log. */
function writes(page: Page): unknown[] {
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.url().includes('/rest/v1/maintenance') && ['PATCH', 'POST'].includes(request.method()))
      sent.push(request.postDataJSON())
  })
  return sent
}

const save = (row: Locator) => row.getByRole('button', { name: /^SAVE/ })

test('a new row: +ADD ROW leads to its line, and Enter adds it, starting today', async ({ page }) => {
  await openLog(page)
  await page.getByRole('button', { name: '+ADD ROW' }).click()
  const name = page.getByPlaceholder('+ Add New Maintenance')
  await expect(name).toBeFocused()
  await name.fill('  Bottom bracket  ')
  await name.press('Enter')
  await expect(rowOf(page, 'Bottom bracket')).toBeVisible()
  await expect(name).toHaveValue('')

  const today = await page.evaluate(() => new Intl.DateTimeFormat('sv-SE').format(new Date()))
  expect(await allStored()).toEqual([
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

test('a new row takes the other fields along, and without a name nothing is added', async ({ page }) => {
  await openLog(page)
  const sent = writes(page)
  const line = page.getByRole('row').filter({ has: page.getByPlaceholder('+ Add New Maintenance') })
  await line.getByRole('combobox', { name: 'Type' }).selectOption('Tires')
  await line.getByRole('textbox', { name: 'Cost' }).fill('$1,234.56')
  await line.getByRole('textbox', { name: 'Cost' }).press('Enter')
  await expect(line).toContainText(/name/i)
  expect(sent).toEqual([])

  await page.getByPlaceholder('+ Add New Maintenance').fill('Front tire')
  await line.getByRole('textbox', { name: 'Start' }).fill('02/29/2024')
  await save(line).click()
  // Until it is saved, the line itself is a row with this name.
  await expect(page.getByPlaceholder('+ Add New Maintenance')).toHaveValue('')
  await expect(rowOf(page, 'Front tire')).toBeVisible()
  expect(await allStored()).toEqual([
    expect.objectContaining({
      name: 'Front tire',
      cost: 1234,
      type: 'Tires',
      dateStarted: '2024-02-29T01:00:00',
    }),
  ])
  expect(sent).toHaveLength(1)
})

test('each column is edited in place, and each save sends that column alone', async ({ page }) => {
  const id = await givePart({ name: 'Chain', description: 'old' })
  await openLog(page)
  const sent = writes(page)
  const cell = (column: string) =>
    page.getByRole('row').nth(1).getByRole('textbox', { name: column, exact: true })
  const row = page.getByRole('row').nth(1)

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

test('the type and the end can be cleared', async ({ page }) => {
  const id = await givePart({ name: 'Chain', type: 'Drivetrain', dateEnded: '2024-06-01 01:00:00' })
  await openLog(page)
  const row = rowOf(page, 'Chain')
  await row.getByRole('button', { name: 'Clear End' }).click()
  await expect(row.locator('[data-dirty="true"]')).toHaveCount(1)
  expect((await stored(id))!.dateEnded).toBe('2024-06-01T01:00:00')
  await save(row).click()
  await expect(row.locator('[data-dirty="true"]')).toHaveCount(0)
  await row.getByRole('combobox', { name: 'Type' }).selectOption('')
  await save(row).click()
  await expect(row.locator('[data-dirty="true"]')).toHaveCount(0)
  expect(await stored(id)).toMatchObject({ type: null, dateEnded: null })
})

test('SAVE and Clear End give the keyboard back to their field, and open no calendar over the rows below', async ({
  page,
}) => {
  await givePart({ name: 'Chain', dateEnded: '2024-06-01 01:00:00' })
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

test('a description is cleared by its button, on its own, and Escape brings it back', async ({ page }) => {
  const id = await givePart({ name: 'Chain', description: 'nickel' })
  await openLog(page)
  const sent = writes(page)
  const row = rowOf(page, 'Chain')
  const field = row.getByRole('textbox', { name: 'Description' })
  await row.getByRole('button', { name: 'Clear description' }).click()
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(field).toHaveValue('nickel')
  await row.getByRole('button', { name: 'Clear description' }).click()
  await save(row).click()
  await expect(row.locator('[data-dirty="true"]')).toHaveCount(0)
  await expect(row.getByRole('button', { name: 'Clear description' })).toHaveCount(0)
  expect(sent).toEqual([{ description: null }])
  expect((await stored(id))!.description).toBeNull()
})

for (const [typed, cost] of [
  ['-5', -5],
  ['12.99', 12],
  ['$1,234.56', 1234],
  ['abc', 0],
] as const) {
  test(`a cost typed as ${typed} is saved as ${cost}`, async ({ page }) => {
    const id = await givePart({ name: 'Chain' })
    await openLog(page)
    const field = rowOf(page, 'Chain').getByRole('textbox', { name: 'Cost' })
    await field.fill(typed)
    await field.press('Enter')
    await expect(rowOf(page, 'Chain').locator('[data-dirty="true"]')).toHaveCount(0)
    expect((await stored(id))!.cost).toBe(cost)
  })
}

test('a cost that could mean two amounts is refused, stays as typed, and nothing is sent', async ({
  page,
}) => {
  await givePart({ name: 'Chain' })
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

test('leaving a cell never saves, Escape restores, and setting the value back makes it clean', async ({
  page,
}) => {
  await givePart({ name: 'Chain' })
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
  await name.fill('')
  await expect(save(row)).toBeDisabled()
  await name.press('Enter')
  expect(sent).toEqual([])
})

test('a day that cannot be is refused in words, stays as typed, and nothing is sent', async ({ page }) => {
  await givePart({ name: 'Chain' })
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

test('deleting asks, Cancel has the focus, and Undo brings the record back as it was', async ({ page }) => {
  const id = await givePart({
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

test('drafts survive saving a neighbour, another tab and bike, and a reload', async ({ page }) => {
  await givePart({ name: 'Chain' })
  await openLog(page)
  const row = page.getByRole('row').nth(1)
  await row.getByRole('textbox', { name: 'Description' }).fill('half typed')
  await page.getByPlaceholder('+ Add New Maintenance').fill('half a name')
  await row.getByRole('textbox', { name: 'Cost' }).fill('50')
  await row.getByRole('textbox', { name: 'Cost' }).press('Enter')
  await expect(row.getByRole('textbox', { name: 'Cost' })).toHaveValue('$50.00')
  await page.getByRole('tab', { name: 'Rides' }).click()
  await bikes(page).getByRole('button', { name: 'Hardtail' }).click()
  await page.getByRole('tab', { name: 'Maintenance Log' }).click()
  await openLog(page)
  await page.reload()
  await expect(row.getByRole('textbox', { name: 'Description' })).toHaveValue('half typed')
  await expect(page.getByPlaceholder('+ Add New Maintenance')).toHaveValue('half a name')
})

test('a failed save is told in a toast, and the draft stays', async ({ page }) => {
  const id = await givePart({ name: 'Chain' })
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

test('what is typed is text: markup, quotes, percent signs, emoji and right-to-left text round-trip', async ({
  page,
}) => {
  const id = await givePart({ name: 'Chain' })
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

test('Total Cost counts a log of more than 1,000 items, the newest included', async ({ page }) => {
  const items = Array.from({ length: 1200 }, (_, n) => ({
    bikeId,
    name: `Part ${n}`,
    cost: 1,
    dateStarted: `20${10 + (n % 10)}-01-01 01:00:00`,
  }))
  await owner.from('maintenance').insert(items)
  await givePart({ name: 'Newest', cost: 1000 })
  await openLog(page)
  await expect(page.getByRole('row').last()).toContainText('$2,200.00')
})

/** Lets requests of a method to the log arrive, and loses their responses. */
async function loseResponses(page: Page, method: string) {
  await page.route('**/rest/v1/maintenance*', async (route) => {
    if (route.request().method() !== method) return route.fallback()
    await route.fetch()
    return route.abort('connectionreset')
  })
  return () => page.unroute('**/rest/v1/maintenance*')
}

test('an item whose response is lost is added once, and says so', async ({ page }) => {
  await openLog(page)
  await loseResponses(page, 'POST')
  await page.getByPlaceholder('+ Add New Maintenance').fill('Belt')
  await page.keyboard.press('Enter')
  await expect(rowOf(page, 'Belt')).toBeVisible()
  await expect(page.getByPlaceholder('+ Add New Maintenance')).toHaveValue('')
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect((await allStored()).map(({ name }) => name)).toEqual(['Belt'])
})

test('SAVE after a broken connection adds the item once', async ({ page }) => {
  await openLog(page)
  const restore = await loseResponses(page, 'POST')
  // Nor can it be read back.
  await page.route('**/rest/v1/maintenance?*request_key=eq*', (route) =>
    route.fulfill({ status: 500, json: {} }),
  )
  await page.getByPlaceholder('+ Add New Maintenance').fill('Belt')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('The log entry may or may not have been added.')
  await restore()
  await page.unroute('**/rest/v1/maintenance?*request_key=eq*')
  await page.reload()
  await page.getByPlaceholder('+ Add New Maintenance').press('Enter')
  await expect(page.getByPlaceholder('+ Add New Maintenance')).toHaveValue('')
  expect((await allStored()).map(({ name }) => name)).toEqual(['Belt'])
})

test('a deletion and an undo whose responses are lost are done, and say so', async ({ page }) => {
  const id = await givePart({ name: 'Chain' })
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

test('Undo brings back an edit that was made elsewhere', async ({ page }) => {
  const id = await givePart({ name: 'Chain' })
  await openLog(page)
  await owner.from('maintenance').update({ cost: 99, description: 'waxed' }).eq('id', id)
  const before = await stored(id)
  await rowOf(page, 'Chain').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rowOf(page, 'Chain').getByRole('textbox', { name: 'Cost' })).toHaveValue('$99.00')
  expect(await stored(id)).toEqual(before)
})
