import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { headers } from './fixtures.ts'
import {
  BIKE,
  COLUMNS,
  delayRequests,
  dirty,
  expect,
  field,
  newName,
  openLog,
  rowOf,
  save,
  test,
  total,
} from './log-page.ts'

function collectEdits(page: Page): unknown[] {
  const sent: unknown[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname === '/rest/v1/rpc/run_command') sent.push(request.postDataJSON().arguments.wanted)
  })
  return sent
}

const details = (page: Page, name: string) => page.getByRole('button', { name: `Details of ${name}` })
const announcement = (page: Page) => page.locator('[aria-live="polite"].visually-hidden')
const calendar = (page: Page) => page.locator('.react-datepicker')

const today = (page: Page, locale: string, format?: Intl.DateTimeFormatOptions) =>
  page.evaluate(([locale, format]) => new Intl.DateTimeFormat(locale, format).format(new Date()), [
    locale,
    format,
  ] as const)

test('+ADD ROW focuses the new row, which needs a name, starts today and is added once', async ({
  page,
  log,
}) => {
  await openLog(page, log.url)
  await page.getByRole('button', { name: '+ADD ROW' }).click()
  await expect(newName(page)).toBeFocused()
  const row = page.getByRole('row').filter({ has: newName(page) })
  await field(row, 'Cost').fill('$1,234.56')
  await field(row, 'Cost').press('Enter')
  await expect(row).toContainText('Enter a name first.')

  // From the name, Tab goes back to the type, and then on to the description.
  await newName(page).fill('Front tire')
  await page.keyboard.press('Tab')
  await page.keyboard.press('T')
  await page.keyboard.press('Tab')
  await page.keyboard.type('tubeless')
  await field(row, 'Start').fill('02/29/2024')
  await save(row).click()
  await expect(details(page, 'Front tire')).toBeVisible()
  await expect(announcement(page)).toHaveText('“Front tire” was added.')
  await expect(newName(page)).toHaveValue('')
  // The response is lost, and nothing is added twice, even after a reload.
  await page.route(
    '**/rest/v1/rpc/run_command',
    async (route) => {
      await route.fetch()
      return route.abort('connectionreset')
    },
    { times: 2 },
  )
  await newName(page).fill('  Bottom bracket  ')
  await newName(page).press('Enter')
  await expect(page.getByRole('alert')).toContainText('The log entry may or may not have been added.')
  await page.reload()
  await newName(page).press('Enter')
  await expect(details(page, 'Bottom bracket')).toBeVisible()
  await expect(newName(page)).toHaveValue('')

  const day = await today(page, 'sv-SE')
  const { data } = await log.owner.from('maintenance').select(COLUMNS).eq('bikeId', log.bikeId).order('id')
  expect(data).toEqual([
    {
      name: 'Front tire',
      description: 'tubeless',
      cost: 1234,
      type: 'Tires',
      dateStarted: '2024-02-29T01:00:00',
      dateEnded: null,
    },
    {
      name: 'Bottom bracket',
      description: null,
      cost: 0,
      type: null,
      dateStarted: `${day}T01:00:00`,
      dateEnded: null,
    },
  ])

  // In a log that fills the window, the new row stays above the total.
  await log.owner
    .from('maintenance')
    .insert(
      Array.from({ length: 9 }, (_, n) => ({ bikeId: log.bikeId, name: `Bottle ${n}`, dateStarted: day })),
    )
  await page.setViewportSize({ width: 1440, height: 500 })
  await page.reload()
  await newName(page).fill('Bell')
  await newName(page).press('Enter')
  await expect(details(page, 'Bell')).toBeVisible()
  await expect(newName(page)).toBeFocused()
  const bottom = async () => {
    const { y, height } = (await newName(page).boundingBox())!
    return y + height
  }
  const top = async () => (await total(page).boundingBox())!.y
  await expect.poll(async () => (await bottom()) <= (await top())).toBe(true)
})

test('edits every column in place, and sends only the edited column, once', async ({ page, log }) => {
  const id = await log.add({ name: 'Chain', description: 'old' })
  await openLog(page, log.url)
  const sent = collectEdits(page)
  const row = rowOf(page, id)
  const type = row.getByRole('combobox', { name: 'Type' })
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
  await type.selectOption('Drivetrain')
  await expect(dirty(row)).toHaveCount(1)
  await save(row).dblclick()
  await expect(dirty(row)).toHaveCount(0)
  const name = `<img src=x> "'\\% 🚲 مرحبا`
  for (const [column, typed] of [
    ['Name', ` ${name} `],
    ['Description', 'nickel'],
    ['End', '11/03/2024'],
  ] as const) {
    await field(row, column).fill(typed)
    await expect(dirty(row)).toHaveCount(1)
    await field(row, column).press('Enter')
    await expect(dirty(row)).toHaveCount(0)
    await expect(field(row, column)).toBeFocused()
  }
  await expect(announcement(page)).toHaveText(/^End of “<img.* was saved\.$/)
  expect(sent.splice(0)).toEqual([
    { type: 'Drivetrain' },
    { name },
    { description: 'nickel' },
    { dateEnded: '2024-11-03 01:00:00' },
  ])

  await row.getByRole('button', { name: 'Clear description' }).click()
  await expect(field(row, 'Description')).toBeFocused()
  await expect(field(row, 'Description')).toHaveValue('')
  await save(row).click()
  await expect(dirty(row)).toHaveCount(0)
  await expect(row.getByRole('button', { name: 'Clear description' })).toHaveCount(0)

  await row.getByRole('button', { name: 'Clear End' }).click()
  await expect(field(row, 'End')).toBeFocused()
  await expect(dirty(row)).toHaveCount(1)
  await save(row).click()
  await expect(dirty(row)).toHaveCount(0)
  await expect(field(row, 'End')).toBeFocused()
  await expect(calendar(page)).toHaveCount(0)
  await type.selectOption('')
  await save(row).click()
  await expect(dirty(row)).toHaveCount(0)
  expect(sent).toEqual([{ description: null }, { dateEnded: null }, { type: null }])
  expect(await log.stored(id)).toMatchObject({ type: null, name, description: null, dateEnded: null })
})

// src/features/entries/fields.test.ts tests the other invalid values.
test('a link is edited in the details, and opens its site in a new tab from there and from a line', async ({
  page,
  log,
}) => {
  await log.add({ name: 'Chain' })
  await openLog(page, log.url)
  const sent = collectEdits(page)
  await details(page, 'Chain').click()
  const region = page.getByRole('region', { name: 'Details of Chain' })
  const link = region.getByRole('textbox', { name: 'Link' })
  await link.fill('javascript:alert(1)')
  await link.press('Enter')
  await expect(link).toHaveAccessibleDescription('Enter a link that begins with https:// or http://.')
  await expect(region.getByRole('button', { name: 'SAVE' })).toBeDisabled()
  const url = `${log.url}/?shop`
  await link.fill(url)
  await region.getByRole('button', { name: 'SAVE' }).click()
  const site = region.getByRole('link', { name: new URL(url).hostname })
  await expect(site).toHaveAttribute('rel', 'noopener noreferrer')
  expect(sent).toEqual([{ link: url }])
  const isOpener = async (target: Locator) => {
    const opened = page.waitForEvent('popup')
    await target.click()
    const tab = await opened
    await expect(tab).toHaveURL(/\?shop/)
    const hasOpener = await tab.evaluate(() => window.opener !== null || document.referrer !== '')
    await tab.close()
    return hasOpener
  }
  expect(await isOpener(site)).toBe(false)
  await details(page, 'Chain').click()
  await page.setViewportSize({ width: 390, height: 844 })
  const line = page.locator('[data-line]').filter({ hasText: 'Chain' })
  expect(await isOpener(line.getByRole('link', { name: new URL(url).hostname }))).toBe(false)
  // The line stays closed.
  await expect(details(page, 'Chain')).toHaveAttribute('aria-expanded', 'false')
})

test('saves only on Enter or SAVE, and never an invalid value', async ({ page, log }) => {
  const id = await log.add({ name: 'Chain', description: 'nickel' })
  const next = rowOf(page, await log.add({ name: 'Saddle', dateStarted: '2024-04-01 01:00:00' }))
  await openLog(page, log.url)
  const sent = collectEdits(page)
  const row = rowOf(page, id)
  const name = field(row, 'Name')
  await name.fill('Chains')
  await name.press('Tab')
  await page.getByRole('heading', { name: BIKE }).click()
  await expect(dirty(row)).toHaveCount(1)
  await name.press('Escape')
  await expect(name).toHaveValue('Chain')
  await expect(dirty(row)).toHaveCount(0)
  await name.fill('Chains')
  await name.press('Backspace')
  await expect(dirty(row)).toHaveCount(0)

  const message = 'Enter an amount such as 45 or 1,234.'
  const cost = field(row, 'Cost')
  await cost.fill('1.200')
  await cost.press('Enter')
  await expect(cost).toHaveValue('1.200')
  await expect(cost).toHaveAttribute('aria-invalid', 'true')
  await expect(cost).toHaveAccessibleDescription(message)
  await expect(save(row)).toBeDisabled()
  await expect(save(row)).toHaveAccessibleDescription(message)
  await cost.press('Escape')
  await expect(dirty(row)).toHaveCount(0)

  // During composition, keys belong to the input method.
  await name.fill('チ')
  for (const composing of [{ isComposing: true }, { keyCode: 229 }])
    for (const key of ['Enter', 'Escape', 'ArrowDown'])
      await name.dispatchEvent('keydown', { key, bubbles: true, ...composing })
  await expect(name).toHaveValue('チ')
  await expect(name).toBeFocused()
  await name.press('Escape')

  await page.keyboard.press('ArrowDown')
  await expect(field(next, 'Name')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(field(next, 'Description')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(field(row, 'Description')).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await expect(field(row, 'Description')).toBeFocused()
  expect(sent).toEqual([])
})

test('SAVE covers nothing, Tab moves through the fields of a row, and undoing an edit opens no calendar', async ({
  page,
  log,
}) => {
  const id = await log.add({ name: 'Chain', description: 'nickel', dateEnded: '2024-06-01 01:00:00' })
  await openLog(page, log.url)
  const row = rowOf(page, id)
  const clear = row.getByRole('button', { name: 'Clear description' })
  await field(row, 'Description').click()
  await page.keyboard.press('Tab')
  await expect(field(row, 'Cost')).toBeFocused()
  // The Clear button stays until the empty description is saved.
  await field(row, 'Description').fill('')
  await page.keyboard.press('Tab')
  await expect(clear).toBeFocused()
  await field(row, 'Description').press('Escape')

  const end = field(row, 'End')
  await end.click()
  await page.keyboard.type('1')
  await expect(save(row)).toBeVisible()
  const [button, miles] = await Promise.all(
    [save(row), row.getByRole('cell').nth(5)].map((locator) => locator.boundingBox()),
  )
  // SAVE may cover the padding of Use Miles, but not its digits.
  expect(button!.x + button!.width).toBeLessThan(miles!.x + 3)
  await field(row, 'Name').click()
  await expect(calendar(page)).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(end).toBeFocused()
  await expect(end).toHaveValue('06/01/2024')
  await expect(calendar(page)).toHaveCount(0)
})

test('Delete asks first, with the focus on Cancel, and Undo restores the item', async ({ page, log }) => {
  const id = await log.add({ name: 'Chain', type: 'Drivetrain', dateEnded: '2024-06-01 01:00:00' })
  const row = rowOf(page, id)
  await openLog(page, log.url)
  await row.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Are you sure to delete this record?')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(row).toBeVisible()

  const before = await log.stored(id)
  await row.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(row).toHaveCount(0)
  expect(await log.stored(id)).toBeNull()
  const toast = page.getByRole('alert').filter({ hasText: '“Chain” was deleted.' })
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toBeVisible()
  await expect(announcement(page)).toHaveText('The change to “Chain” was undone.')
  expect(await log.stored(id)).toEqual(before)
  await expect(toast).toHaveCount(0)
})

test('renders every row in a window without height, and keeps the headers visible', async ({ page, log }) => {
  await log.owner
    .from('maintenance')
    .insert(Array.from({ length: 30 }, (_, part) => ({ bikeId: log.bikeId, name: `Part ${part}` })))
  await page.addInitScript(() => Object.defineProperty(window, 'innerHeight', { value: 0 }))
  await openLog(page, log.url)
  await expect(page.getByRole('row')).toHaveCount(33)
  const header = page.getByRole('columnheader', { name: 'Name' })
  await newName(page).scrollIntoViewIfNeeded()
  await expect(page.locator('input[value="Part 0"]')).not.toBeInViewport()
  await expect(header).toBeInViewport({ ratio: 1 })
})

test('shows the parts in use, sorted and grouped, and keeps the item being edited', async ({ page, log }) => {
  const chain = await log.add({ name: 'Chain', type: 'Drivetrain', cost: 40 })
  const cassette = await log.add({ name: 'Cassette', type: 'Drivetrain', cost: 90 })
  const wax = await log.add({ name: 'Wax', cost: 8, dateEnded: '2024-03-10 01:00:00' })
  await openLog(page, log.url)
  const names = () =>
    page
      .getByRole('textbox', { name: 'Name' })
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
  await page.getByRole('radio', { name: 'In use' }).check()
  await expect(rowOf(page, wax)).toHaveCount(0)
  await expect(page).toHaveURL(/show=in-use/)
  await expect(total(page)).toContainText('$138.00')
  await expect(total(page)).toContainText('In use: $130.00')

  const cost = page.getByRole('columnheader', { name: 'Cost', exact: true }).getByRole('button')
  await cost.click()
  await cost.click()
  await expect.poll(names).toEqual(['Cassette', 'Chain', ''])
  await page.getByRole('button', { name: 'Group by type' }).click()
  await expect(page.getByRole('row', { name: 'Drivetrain 2' })).toContainText('$130.00')
  await page.reload()
  await expect.poll(names).toEqual(['Cassette', 'Chain', ''])

  const end = field(rowOf(page, chain), 'End')
  await end.fill('04/01/2024')
  await end.press('Enter')
  await expect(total(page)).toContainText('In use: $90.00')
  await expect(end).toBeFocused()
  await field(rowOf(page, cassette), 'Name').focus()
  await expect(rowOf(page, chain)).toHaveCount(0)
  await page.getByRole('columnheader', { name: 'Start', exact: true }).getByRole('button').click()
  await page.getByRole('button', { name: 'Group by type' }).click()
  await page.getByRole('radio', { name: 'All' }).check()
  await expect(page).toHaveURL(/#bike=\d+$/)
  await expect.poll(names).toEqual(['Chain', 'Cassette', 'Wax', ''])

  const find = page.getByRole('searchbox', { name: 'Find entries' })
  await find.fill('drive c')
  await expect(page.getByRole('status').filter({ hasText: '2 entries found' })).toBeVisible()
  await expect.poll(names).toEqual(['Chain', 'Cassette', ''])
  await expect(page).toHaveURL(/find=drive\+c/)
  await page.reload()
  await expect(find).toHaveValue('drive c')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Find entries' }).click()
  await expect(find).toHaveCount(0)
  await expect(page).toHaveURL(/#bike=\d+$/)
  await page.getByRole('button', { name: 'Find entries' }).click()
  await expect(find).toBeFocused()
  await expectAccessible(page, [390])
})

test('the printed log has the names of its entries, and what is due', async ({ page, log }) => {
  const id = await log.add({ name: 'Printed chain', type: 'Drivetrain' })
  const { data } = await log.owner.from('maintenance').select('part_id').eq('id', id).single()
  await log.owner
    .from('service_tasks')
    .insert({ part_id: data!.part_id, name: 'Wax', kind: 'service', every_days: 1 })
  await page.setViewportSize({ width: 816, height: 1056 })
  await openLog(page, log.url)
  await page.emulateMedia({ media: 'print' })
  const due = page.getByRole('list', { name: 'Due on this bike' })
  await expect(due.getByText(/^Printed chain: wax/)).toBeVisible()
  await expect(
    page.locator(`[data-item="${id}"]`).getByText('Printed chain', { exact: true }).first(),
  ).toBeVisible()

  // Paper has lines, however wide the window is. Firefox only tells by events.
  await page.emulateMedia({ media: 'screen' })
  await page.setViewportSize({ width: 1440, height: 1056 })
  const [line, row] = [page.getByRole('listitem'), page.getByRole('row')].map((entry) =>
    entry.filter({ has: page.getByRole('button', { name: 'Details of Printed chain' }) }),
  )
  await expect(row!).toBeVisible()
  const linesIn = (event: string) =>
    page.evaluate((event) => {
      window.dispatchEvent(new Event(event))
      return document.querySelectorAll('[data-line]').length
    }, event)
  expect(await linesIn('beforeprint')).toBeGreaterThan(0)
  await expect(line!).toBeVisible()
  expect(await linesIn('afterprint')).toBe(0)
  await expect(row!).toBeVisible()
})

test('the calendar offers Today and the first ride, and the usage is busy until it is updated', async ({
  page,
  log,
}) => {
  const id = await log.add({ name: 'Chain' })
  await openLog(page, log.url)
  const row = rowOf(page, id)
  const miles = row.getByRole('cell').filter({ hasText: /mi$/ })
  const hours = row.getByRole('cell').filter({ hasText: /^\d+:\d\d:\d\d$/ })
  await expect(hours).toBeVisible()
  const before = [await miles.innerText(), await hours.innerText()] as const
  await field(row, 'Start').click()
  await page.getByRole('button', { name: 'First ride' }).click()
  const { data } = await log.owner
    .from('rides')
    .select('started_at')
    .eq('gear_id', log.bikeId)
    .order('started_at')
    .limit(1)
    .single()
  const [year, month, day] = data!.started_at!.slice(0, 10).split('-')
  await expect(field(row, 'Start')).toHaveValue(`${month}/${day}/${year}`)
  await expect(field(row, 'Start')).toBeFocused()

  const { release } = await delayRequests(page, '**/functions/v1/maintenance-use', 'POST')
  await field(row, 'Start').press('Enter')
  await expect(miles).toHaveAttribute('aria-busy', 'true')
  await expect(miles).toHaveText(before[0])
  release()
  await expect(miles).not.toHaveText(before[0])
  await expect(hours).not.toHaveText(before[1])
  await expect(miles).not.toHaveAttribute('aria-busy', 'true')
  expect((await log.stored(id))!.dateStarted).toBe(`${year}-${month}-${day}T01:00:00`)

  await field(row, 'End').click()
  await page.getByRole('button', { name: 'Today' }).click()
  const format = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  await expect(field(row, 'End')).toHaveValue(await today(page, 'en-US', format))
  await expect(calendar(page)).toHaveCount(0)
  await save(row).click()
  await expect(dirty(row)).toHaveCount(0)
  await expect(field(row, 'End')).toBeFocused()
  await expect(calendar(page)).toHaveCount(0)
})
