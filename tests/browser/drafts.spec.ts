import type { Locator, Page } from '@playwright/test'
import type { OwnerClient } from '../owner.ts'
import { findings } from './axe.ts'
import { bikes, expect, openMainScreen, signIn, signInOwner, test } from './fixtures.ts'

const BIKE = 'Warbird'
let owner: OwnerClient
let bikeId: number
let chain: number

test.beforeEach(async ({ page, sample }) => {
  owner = await signInOwner(sample.url)
  const { data } = await owner.from('bikes').select('gear_id').eq('name', BIKE).single()
  bikeId = data!.gear_id
  await owner.from('maintenance').delete().eq('bikeId', bikeId)
  chain = await addItem('Chain')
  await openMainScreen(page, `${sample.url}/#bike=${bikeId}`)
  await expect(page.getByRole('row').last()).toContainText('Total Cost:')
})

async function addItem(name: string, dateStarted = '2024-03-10 01:00:00') {
  const item = { bikeId, name, description: 'KMC', cost: 45, dateStarted }
  return (await owner.from('maintenance').insert(item).select('id').single()).data!.id
}

const storedChain = async () =>
  (await owner.from('maintenance').select('name, description, cost').eq('id', chain).single()).data!

async function openLog(page: Page) {
  await bikes(page).getByRole('button', { name: BIKE }).click()
  await expect(page.getByRole('row').last()).toContainText('Total Cost:')
}

/** Delays matching requests until `release`. */
async function delayRequests(page: Page, url: string, method: string) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const sent: unknown[] = []
  await page.route(url, async (route) => {
    if (route.request().method() === method) {
      sent.push(route.request().postDataJSON())
      await released
    }
    await route.fallback()
  })
  return { sent, release }
}

const firstRow = (page: Page) => page.getByRole('row').nth(1)
const field = (row: Locator, name: string) => row.getByRole('textbox', { name, exact: true })
const dirty = (row: Locator) => row.locator('[data-dirty="true"]')

test('double-clicking SAVE sends once', async ({ page }) => {
  const { sent, release } = await delayRequests(page, '**/rest/v1/maintenance*', 'PATCH')
  const row = firstRow(page)
  await field(row, 'Name').fill('Belt')
  await row.getByRole('button', { name: 'SAVE' }).dblclick()
  release()
  await expect(dirty(row)).toHaveCount(0)
  expect(sent).toEqual([{ name: 'Belt' }])
})

test('saves two columns and a later edit in quick succession', async ({ page }) => {
  const { sent, release } = await delayRequests(page, '**/rest/v1/maintenance*', 'PATCH')
  const row = firstRow(page)
  await field(row, 'Name').fill('Belt')
  await field(row, 'Name').press('Enter')
  await field(row, 'Cost').fill('50')
  await field(row, 'Cost').press('Enter')
  await field(row, 'Name').fill('Belt drive')
  await field(row, 'Name').press('Enter')
  release()
  await expect(dirty(row)).toHaveCount(0)
  expect(sent).toEqual([{ name: 'Belt' }, { cost: 50 }, { name: 'Belt drive' }])
  expect(await storedChain()).toEqual({ name: 'Belt drive', description: 'KMC', cost: 50 })
})

test('shows a value that another tab saved under a draft', async ({ page, sample }) => {
  const name = field(firstRow(page), 'Name')
  await name.fill('My chain')

  const other = await page.context().newPage()
  await other.goto(sample.url)
  await openLog(other)
  const theirs = field(firstRow(other), 'Name')
  await theirs.fill('Their chain')
  await theirs.press('Enter')
  await expect(dirty(firstRow(other))).toHaveCount(0)

  await expect(name).toHaveAccessibleDescription(/Changed elsewhere to “Their chain”/)
  await expect(name).toHaveValue('My chain')
  await name.press('Escape')
  await expect(name).toHaveValue('Their chain')
})

for (const [choice, result] of [
  ['SAVE', 'Mine'],
  ['Discard my change', 'Theirs'],
] as const) {
  test(`never overwrites a newer value, and ${choice} then stores ${result}`, async ({ page }) => {
    const row = firstRow(page)
    await field(row, 'Description').fill('Mine')
    await owner.from('maintenance').update({ description: 'Theirs' }).eq('id', chain)
    await field(row, 'Description').press('Enter')
    await expect(page.getByRole('alert')).toContainText('was not saved because it was changed elsewhere.')
    await expect(field(row, 'Description')).toHaveValue('Mine')
    await expect(field(row, 'Description')).toHaveAccessibleDescription('Changed elsewhere to “Theirs”.')
    expect((await storedChain()).description).toBe('Theirs')

    await row.getByRole('button', { name: choice }).click()
    await expect(dirty(row)).toHaveCount(0)
    await expect(field(row, 'Description')).toHaveValue(result)
    await expect(field(row, 'Description')).toBeFocused()
    expect((await storedChain()).description).toBe(result)
  })
}

for (const [column, values] of [
  ['Name', ['null', 'true', '"quoted"', '1.50', '{a}', 'a, (b) \\ c', '🚲'.repeat(900)]],
  ['Description', ['x'.repeat(10_000), 'é'.repeat(3000)]],
  ['Cost', ['-5', '1,234']],
  ['Start', ['02/29/2024']],
  ['End', ['11/03/2024', '11/04/2024']],
] as const) {
  test(`replaces any value of ${column}`, async ({ page }) => {
    const row = firstRow(page)
    for (const value of [...values, values[0], column === 'Name' ? 'Last' : values.at(-1)!]) {
      await field(row, column).fill(value)
      await field(row, column).press('Enter')
      await expect(dirty(row)).toHaveCount(0)
    }
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
}

test('shows the draft of an item deleted elsewhere until it is discarded', async ({ page }) => {
  await field(firstRow(page), 'Name').fill('Half typed')
  await owner.from('maintenance').delete().eq('id', chain)
  await page.reload()
  await expect(page.getByText(/deleted elsewhere/)).toHaveText(
    '“Chain” was deleted elsewhere. Your unsaved changes: Name “Half typed”.',
  )
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText(/deleted elsewhere/)).toHaveCount(0)

  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})

test('a draft survives the end of the session', async ({ page }) => {
  await field(firstRow(page), 'Description').fill('half typed')
  await page.route('**/rest/v1/maintenance*', (route) =>
    route.fulfill({ status: 401, json: { code: 'PGRST303', message: 'JWT expired' } }),
  )
  await page.route('**/auth/v1/token*', (route) =>
    route.fulfill({ status: 400, json: { code: 400, error_code: 'refresh_token_not_found', msg: 'No' } }),
  )
  await field(firstRow(page), 'Name').fill('Belt')
  await field(firstRow(page), 'Name').press('Enter')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()

  await page.unrouteAll()
  await signIn(page)
  await expect(field(firstRow(page), 'Description')).toHaveValue('half typed')
  await expect(field(firstRow(page), 'Name')).toHaveValue('Belt')
  expect(await storedChain()).toMatchObject({ name: 'Chain' })
})

test('works with drafts in memory when site data is blocked', async ({ browser, sample }) => {
  const context = await browser.newContext()
  // Chromium refuses storage like this, and Firefox also refuses the channel.
  await context.addInitScript(() => {
    const denial = new DOMException('Access is denied for this document.', 'SecurityError')
    const deny = () => {
      throw denial
    }
    for (const store of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, store, { get: deny })
    Object.assign(window, { BroadcastChannel: deny })
    IDBFactory.prototype.open = deny
    Object.defineProperty(navigator, 'serviceWorker', {
      get: () => ({ register: () => Promise.reject(denial) }),
    })
  })
  const page = await context.newPage()
  await page.goto(sample.url)
  await signIn(page)
  await openLog(page)
  const row = firstRow(page)
  await field(row, 'Description').fill('half typed')
  await page.getByRole('tab', { name: 'Rides' }).click()
  await page.getByRole('tab', { name: 'Maintenance Log' }).click()
  await expect(field(row, 'Description')).toHaveValue('half typed')
  await field(row, 'Name').fill('Belt')
  await field(row, 'Name').press('Enter')
  await expect(dirty(row)).toHaveCount(1)
  expect((await storedChain()).name).toBe('Belt')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard and sign out' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await context.close()
})

test.describe('in a process of its own', () => {
  test.use({ ownContext: true })

  test('a draft survives a crash of the page', async ({ page }) => {
    await field(firstRow(page), 'Description').fill('half typed')
    await page.getByPlaceholder('+ Add New Maintenance').fill('half a name')

    // Playwright can't use a crashed page again, but the tab can be reloaded.
    const tab = await page.context().newCDPSession(page)
    const crashed = page.waitForEvent('crash')
    void tab.send('Page.crash').catch(() => undefined)
    await crashed
    await tab.send('Page.reload')
    await expect(async () => {
      const { result } = await tab.send('Runtime.evaluate', {
        expression: `[...document.querySelectorAll('tbody input')].map((input) => input.value)`,
        returnByValue: true,
      })
      expect(result.value).toEqual(expect.arrayContaining(['half typed', 'half a name']))
    }).toPass()
  })
})

test('Sign Out asks before it discards drafts', async ({ page }) => {
  await field(firstRow(page), 'Name').fill('Half typed')
  const signOut = page.getByRole('button', { name: 'Sign Out', exact: true })
  await signOut.click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(field(firstRow(page), 'Name')).toHaveValue('Half typed')

  await signOut.click()
  await question.getByRole('button', { name: 'Discard and sign out' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await signIn(page)
  await openLog(page)
  await expect(field(firstRow(page), 'Name')).toHaveValue('Chain')
  await signOut.click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})

test('Use Miles and Use Time update after Start is saved, and are busy until then', async ({ page }) => {
  const use = firstRow(page).getByRole('cell').nth(6)
  const time = firstRow(page).getByRole('cell').nth(7)
  await expect(use).toContainText('mi')
  const [miles, hours] = [await use.innerText(), await time.innerText()]

  const { release } = await delayRequests(page, '**/functions/v1/maintenance-use', 'POST')
  await field(firstRow(page), 'Start').fill('01/01/1990')
  await field(firstRow(page), 'Start').press('Enter')
  await expect(use).toHaveAttribute('aria-busy', 'true')
  await expect(use).toHaveText(miles)
  release()
  await expect(use).not.toHaveText(miles)
  await expect(time).not.toHaveText(hours)
  await expect(use).not.toHaveAttribute('aria-busy', 'true')
})

test('arrow keys move between cells unless the text input uses them', async ({ page }) => {
  await addItem('Saddle', '2024-04-01 01:00:00')
  await page.reload()
  const [first, second] = [firstRow(page), page.getByRole('row').nth(2)]
  await field(first, 'Name').click()
  await page.keyboard.press('ArrowDown')
  await expect(field(second, 'Name')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(field(second, 'Description')).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await expect(field(second, 'Description')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(field(first, 'Description')).toBeFocused()
})

test('accepts 10,000 characters in a description but not in a name', async ({ page }) => {
  const long = 'x'.repeat(10_000)
  const row = firstRow(page)
  await field(row, 'Name').fill(long)
  await field(row, 'Name').press('Enter')
  await expect(field(row, 'Name')).toHaveAccessibleDescription('Use at most 1,000 characters.')
  await field(row, 'Description').fill(long)
  await field(row, 'Description').press('Enter')
  await expect(dirty(row)).toHaveCount(1)
  expect(await storedChain()).toEqual({ name: 'Chain', description: long, cost: 45 })
})

test('announces saving, adding, deleting and restoring to screen readers', async ({ page }) => {
  const announcement = page.locator('[aria-live="polite"].visually-hidden')
  await field(firstRow(page), 'Name').fill('Belt')
  await field(firstRow(page), 'Name').press('Enter')
  await expect(announcement).toHaveText('Name of “Chain” was saved.')
  await page.getByPlaceholder('+ Add New Maintenance').fill('Saddle')
  await page.getByPlaceholder('+ Add New Maintenance').press('Enter')
  await expect(announcement).toHaveText('“Saddle” was added.')
  await firstRow(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('alert').filter({ hasText: '“Belt” was deleted.' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(announcement).toHaveText('“Belt” was restored.')
})

test('the headers stay visible while the log scrolls', async ({ page }) => {
  for (let part = 0; part < 30; part++) await addItem(`Part ${part}`)
  await page.reload()
  await expect(page.getByRole('row')).toHaveCount(34)
  const header = page.getByRole('columnheader', { name: 'Name' })
  await page.getByPlaceholder('+ Add New Maintenance').scrollIntoViewIfNeeded()
  await expect(firstRow(page)).not.toBeInViewport()
  await expect(header).toBeInViewport({ ratio: 1 })
})

test('keeps drafts when a part of the application fails to load', async ({ page }) => {
  // The tab's code is also loaded in the background, where a failure is not shown.
  const refused = page.waitForEvent('requestfailed', (request) => request.url().includes('RidesTab'))
  await page.route(/RidesTab/, (route) => route.abort())
  await page.reload()
  await refused
  await field(firstRow(page), 'Name').fill('Waxed chain')
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(page.getByRole('main')).toContainText(
    'Something went wrong. Your unsaved changes are not lost.',
  )
  await page.unroute(/RidesTab/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('region', { name: 'Rides table' })).toBeVisible()
  await page.getByRole('tab', { name: 'Maintenance Log' }).click()
  await expect(field(firstRow(page), 'Name')).toHaveValue('Waxed chain')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 812 } })

  test('an entry fits the screen, opens to edit every column, and stays open with a draft', async ({
    page,
  }) => {
    const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Details of Chain' }) })
    for (const text of ['03/10/2024', '$45.00', 'KMC'])
      await expect(row.getByRole('cell', { name: text, exact: true })).toBeInViewport({ ratio: 1 })
    await expect(row.getByRole('link', { name: /mi$/ })).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('row', { name: 'Total Cost:' })).toBeInViewport({ ratio: 1 })
    await expect(row.getByRole('textbox')).toHaveCount(0)

    await row.getByRole('cell', { name: '$45.00', exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`item=${chain}`))
    await field(row, 'End').fill('11/03/2024')
    await field(row, 'End').press('Enter')
    await expect(dirty(row)).toHaveCount(0)
    await field(row, 'Description').fill('half typed')
    await row.getByRole('button', { name: 'Details of Chain' }).click()
    await expect(field(row, 'Description')).toHaveValue('half typed')
    await row.getByRole('button', { name: 'SAVE' }).click()
    await expect(row.getByRole('textbox')).toHaveCount(0)
    await expect(row.getByRole('button', { name: 'Details of Chain' })).toBeFocused()
    expect(await storedChain()).toMatchObject({ description: 'half typed' })
    expect(await findings(page)).toEqual([])
  })
})
