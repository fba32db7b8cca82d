import { axeViolations, expectAccessible, PHONE } from './axe.ts'
import { bikes, signIn } from './fixtures.ts'
import { BIKE, dirty, expect, field, newName, openLog, rowOf, save, test as base, total } from './log-page.ts'

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

test('the table and the cards replace each other without losing the focus, a draft or a dialog', async ({
  page,
  log,
  chain,
}) => {
  await openLog(page, log.url)
  const row = rowOf(page, chain)
  const name = field(row, 'Name')
  const isCaretAt = (offset: number) =>
    name.evaluate((input: HTMLInputElement, offset) => input.selectionStart === offset, offset)
  const resize = async (width: number) => {
    await page.setViewportSize({ width, height: 900 })
    await expect(page.getByRole('list', { name: BIKE })).toHaveCount(width < 1280 ? 1 : 0)
  }
  await name.fill('Chains')
  await name.press('ArrowLeft')
  for (const width of [1024, 1440]) {
    await resize(width)
    await expect(name).toBeFocused()
    await expect(name).toHaveValue('Chains')
    expect(await isCaretAt('Chain'.length)).toBe(true)
    await expect(dirty(row)).toHaveCount(1)
  }
  await name.press('Escape')
  await resize(390)
  await expect(row.getByRole('button', { name: 'Details of Chain' })).toBeFocused()

  await page.keyboard.press('Enter')
  const details = page.getByRole('region', { name: 'Details of Chain' })
  await details.getByRole('button', { name: 'Add earlier usage' }).click()
  const miles = page.getByRole('dialog').getByLabel('Miles')
  await miles.fill('1200')
  await resize(1440)
  await expect(miles).toBeFocused()
  await expect(miles).toHaveValue('1200')
  await miles.click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await details.getByRole('button', { name: 'Add service task' }).focus()
  await resize(820)
  await expect(details.getByRole('button', { name: 'Add service task' })).toBeFocused()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 375, height: 812 } })

  test('Delete focuses the next entry, and Undo the entry that came back', async ({ page, log, chain }) => {
    await log.add({ name: 'Saddle', dateStarted: '2024-05-01T01:00:00' })
    await openLog(page, log.url)
    const details = (name: string) => page.getByRole('button', { name: `Details of ${name}` })
    await details('Chain').click()
    await page.getByRole('button', { name: 'Edit Chain' }).click()
    await rowOf(page, chain).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(details('Saddle')).toBeFocused()
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
    await expect(details('Chain')).toBeFocused()
  })

  test('a tap opens an entry, the next tap its fields, and drafts keep them open', async ({
    page,
    log,
    chain,
  }) => {
    await openLog(page, log.url)
    const row = rowOf(page, chain)
    const details = row.getByRole('button', { name: 'Details of Chain' })
    for (const text of ['since 03/10/2024', '$45.00', 'KMC'])
      await expect(row.getByText(text, { exact: true })).toBeInViewport({ ratio: 1 })
    await expect(row.getByRole('link', { name: /mi$/ })).toBeInViewport({ ratio: 1 })
    await expect(total(page)).toBeInViewport({ ratio: 1 })
    await expect(row.getByRole('textbox')).toHaveCount(0)

    await row.getByText('$45.00', { exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`item=${chain}`))
    await expect(page.getByRole('button', { name: 'Replace…' })).toBeInViewport({ ratio: 1 })
    await expect(row.getByRole('textbox')).toHaveCount(0)
    await row.getByText('$45.00', { exact: true }).click()
    await field(row, 'End').fill('11/03/2024')
    await field(row, 'End').press('Enter')
    await expect(dirty(row)).toHaveCount(0)
    await field(row, 'Description').fill('half typed')
    await details.click()
    await expect(field(row, 'Description')).toHaveValue('half typed')
    await save(row).click()
    await expect(row.getByRole('textbox')).toHaveCount(0)
    await expect(details).toBeFocused()
    expect(await log.stored(chain)).toMatchObject({ description: 'half typed' })
    expect(await axeViolations(page)).toEqual([])
  })
})
