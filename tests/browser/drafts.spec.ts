import { axeViolations, expectAccessible, PHONE } from './axe.ts'
import { bikes, signIn } from './fixtures.ts'
import {
  BIKE,
  dirty,
  entryOf,
  expect,
  field,
  newName,
  openLog,
  rowOf,
  save,
  test as base,
  total,
} from './log-page.ts'

/** The id of the log's only item. */
const test = base.extend<{ chain: number }>({
  chain: ({ log }, use) => log.add({ name: 'Chain', description: 'KMC' }).then(use),
})

test('never overwrites a value that changed elsewhere while it was edited here, and keeps the draft of a deleted item', async ({
  page,
  log,
  chain,
}) => {
  await openLog(page, log.url)
  const row = rowOf(page, chain)
  await field(row, 'Name').fill('My chain')
  const other = await page.context().newPage()
  await other.goto(log.url)
  const theirs = rowOf(other, chain)
  await field(theirs, 'Name').fill('Their chain')
  await field(theirs, 'Name').press('Enter')
  await expect(dirty(theirs)).toHaveCount(0)
  await other.close()

  await expect(field(row, 'Name')).toHaveAccessibleDescription(/Changed elsewhere to “Their chain”/)
  await expect(field(row, 'Name')).toHaveValue('My chain')
  await field(row, 'Name').press('Escape')
  await expect(field(row, 'Name')).toHaveValue('Their chain')

  // Simulates another computer, whose changes the page doesn't notice.
  const description = field(row, 'Description')
  await description.fill('Mine')
  await log.owner.from('maintenance').update({ description: 'Theirs' }).eq('id', chain)
  await description.press('Enter')
  await expect(page.getByRole('alert')).toContainText('was not saved. It was changed elsewhere.')
  await expect(description).toHaveAccessibleDescription('Changed elsewhere to “Theirs”.')
  await expect(description).toHaveValue('Mine')
  expect((await log.stored(chain))!.description).toBe('Theirs')
  await row.getByRole('button', { name: 'Discard my change' }).click()
  await expect(dirty(row)).toHaveCount(0)
  await expect(description).toHaveValue('Theirs')
  await expect(description).toBeFocused()

  await field(row, 'Name').fill('Half typed')
  await log.owner.from('maintenance').delete().eq('id', chain)
  await page.reload()
  const notice = page.getByText(/deleted elsewhere/)
  await expect(notice).toHaveText(
    '“Their chain” was deleted elsewhere. Your unsaved changes: Name “Half typed”.',
  )
  await expectAccessible(page, [PHONE])
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(notice).toHaveCount(0)
})

test('drafts survive the end of the session', async ({ page, log, chain }) => {
  await openLog(page, log.url)
  const row = rowOf(page, chain)
  await field(row, 'Description').fill('half typed')
  await page.route('**/rest/v1/rpc/run_command', (route) =>
    route.fulfill({ status: 401, json: { code: 'PGRST303', message: 'JWT expired' } }),
  )
  await page.route('**/auth/v1/token*', (route) =>
    route.fulfill({ status: 400, json: { code: 400, error_code: 'refresh_token_not_found', msg: 'No' } }),
  )
  await field(row, 'Name').fill('Belt')
  await field(row, 'Name').press('Enter')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()

  await page.unrouteAll()
  await signIn(page)
  await expect(field(row, 'Description')).toHaveValue('half typed')
  await expect(field(row, 'Name')).toHaveValue('Belt')
  expect(await log.stored(chain)).toMatchObject({ name: 'Chain', description: 'KMC' })
})

test('Sign Out asks before it discards drafts, in other tabs, too', async ({ page, context, log, chain }) => {
  await openLog(page, log.url)
  const other = await context.newPage()
  await other.goto(log.url)
  const name = field(rowOf(other, chain), 'Name')
  const signOut = page.getByRole('button', { name: 'Sign Out', exact: true })
  const question = page.getByRole('alertdialog')
  await name.fill('Belt')
  await signOut.click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await other.reload()
  await expect(name).toHaveValue('Belt')
  await signOut.click()
  await question.getByRole('button', { name: 'Discard and sign out' }).click()
  await expect(other.getByRole('button', { name: 'Sign in' })).toBeVisible()
  expect(await other.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Belt')

  await signIn(other)
  await expect(name).toHaveValue('Chain')
  await expect(dirty(rowOf(other, chain))).toHaveCount(0)
  await name.fill('Belt')
  await other.close()
  await expect(signOut).toBeVisible()
  await signOut.click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})

test('keeps drafts in memory when site data is blocked', async ({ browser, log, chain }) => {
  const context = await browser.newContext()
  // Chromium denies storage access this way. Firefox also denies access to BroadcastChannel.
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
  await page.goto(log.url)
  await signIn(page)
  const row = rowOf(page, chain)
  await field(row, 'Description').fill('half typed')
  await page.getByRole('tab', { name: 'Rides' }).click()
  await page.getByRole('tab', { name: 'Maintenance Log' }).click()
  await expect(field(row, 'Description')).toHaveValue('half typed')
  await field(row, 'Name').fill('Belt')
  await field(row, 'Name').press('Enter')
  await expect(dirty(row)).toHaveCount(1)
  expect((await log.stored(chain))!.name).toBe('Belt')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard and sign out' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await context.close()
})

test.describe('in its own process', () => {
  test.use({ ownContext: true })

  test('drafts survive other tabs and bikes, a chunk that fails to load, and a crash', async ({
    page,
    log,
    chain,
  }) => {
    await openLog(page, log.url)
    const row = rowOf(page, chain)
    const rides = page.getByRole('tab', { name: 'Rides' })
    const maintenance = page.getByRole('tab', { name: 'Maintenance Log' })
    await field(row, 'Description').fill('half typed')
    await newName(page).fill('half a name')
    await field(row, 'Cost').fill('50')
    await field(row, 'Cost').press('Enter')
    await expect(field(row, 'Cost')).toHaveValue('$50.00')
    await rides.click()
    await bikes(page).getByRole('button', { name: 'Surly Cross-Check' }).click()
    await maintenance.click()
    await bikes(page).getByRole('button', { name: BIKE }).click()
    await expect(field(row, 'Description')).toHaveValue('half typed')

    // The page also preloads the tab's code in the background. A failure there shows no error.
    const refused = page.waitForEvent('requestfailed', (request) => request.url().includes('RidesTab'))
    await page.route(/RidesTab/, (route) => route.abort())
    await page.reload()
    await refused
    await rides.click()
    await expect(page.getByRole('main')).toContainText('This could not be loaded.')
    await page.unroute(/RidesTab/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('region', { name: 'Rides table' })).toBeVisible()
    await maintenance.click()
    await expect(field(row, 'Description')).toHaveValue('half typed')
    await expect(newName(page)).toHaveValue('half a name')

    // Playwright can't use a crashed page, but DevTools can reload its tab.
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

test('a resize between the table and the lines loses nothing that was typed', async ({
  page,
  log,
  chain,
}) => {
  await openLog(page, log.url)
  const row = rowOf(page, chain)
  const entry = entryOf(page, 'Chain')
  const resize = (width: number) => page.setViewportSize({ width, height: 900 })
  await field(row, 'Name').fill('Chains')
  await resize(390)
  await expect(row.getByRole('button', { name: 'Details of Chain' })).toBeFocused()
  await expect(row).toContainText('Not saved: Name')
  await page.keyboard.press('Enter')
  await expect(field(entry, 'Name')).toHaveValue('Chains')
  await field(entry, 'Cost').fill('50')

  await entry.getByRole('button', { name: 'Add earlier usage' }).click()
  const miles = page.getByRole('dialog').getByLabel('Miles')
  await miles.fill('1200')
  await resize(1440)
  await expect(miles).toBeFocused()
  await expect(miles).toHaveValue('1200')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(entry).toHaveCount(0)
  await expect(dirty(row)).toHaveCount(2)
  await expect(field(row, 'Cost')).toHaveValue('50')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a tap opens an entry, Back closes it, and its line says what is not saved', async ({
    page,
    log,
    chain,
  }) => {
    await openLog(page, log.url)
    const row = rowOf(page, chain)
    const entry = entryOf(page, 'Chain')
    for (const text of ['since 03/10/2024', '$45.00', 'KMC'])
      await expect(row.getByText(text, { exact: true })).toBeInViewport({ ratio: 1 })
    await expect(row.getByRole('link', { name: /mi$/ })).toBeInViewport({ ratio: 1 })
    await expect(total(page)).toBeInViewport({ ratio: 1 })

    await row.getByText('$45.00', { exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`item=${chain}`))
    for (const part of [field(entry, 'End'), entry.getByRole('button', { name: 'Replace…' })])
      await expect(part).toBeInViewport({ ratio: 1 })
    await field(entry, 'End').fill('11/03/2024')
    await field(entry, 'End').press('Enter')
    await expect(dirty(entry)).toHaveCount(0)
    await field(entry, 'Description').fill('half typed')
    expect(await axeViolations(page)).toEqual([])
    await page.goBack()
    await expect(entry).toHaveCount(0)
    await expect(row.getByRole('button', { name: 'Details of Chain' })).toBeFocused()
    await expect(row).toContainText('Not saved: Description')

    await page.keyboard.press('Enter')
    await expect(field(entry, 'Description')).toHaveValue('half typed')
    await save(entry).click()
    await expect(dirty(entry)).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(row).not.toContainText('Not saved')
    expect(await log.stored(chain)).toMatchObject({ description: 'half typed' })
    // Closing the entry left no history entry, so Back doesn't reopen it.
    expect(await page.evaluate(() => history.state as unknown)).not.toMatchObject({ isOpened: true })
  })

  test('a failed save and Undo are in reach above an open entry', async ({ page, log, chain }) => {
    await openLog(page, `${log.url}&item=${chain}`)
    const entry = entryOf(page, 'Chain')
    await page.route('**/rest/v1/rpc/run_command', (route) => route.fulfill({ status: 500, json: {} }))
    await field(entry, 'Cost').fill('50')
    await save(entry).click()
    await page.getByRole('alert').getByRole('button', { name: 'close' }).click()
    await expect(dirty(entry)).toHaveCount(1)
  })

  test('a new entry takes two taps and its name, and is kept until it is added', async ({ page, log }) => {
    await openLog(page, log.url)
    await page.getByRole('button', { name: '+ADD ROW' }).click()
    await expect(newName(page)).toBeFocused()
    await page.keyboard.type('Tire')
    await page.goBack()
    await expect(page.getByText('Not saved: Name')).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: 'New log entry' }).click()
    await expect(newName(page)).toHaveValue('Tire')
    await page.getByRole('dialog').getByRole('button', { name: 'SAVE' }).click()
    await expect(page.getByRole('button', { name: 'Details of Tire' })).toBeFocused()
    await expect(page.getByText('Not saved: Name')).toHaveCount(0)
  })
})
