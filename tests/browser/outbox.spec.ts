import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { bikes, signInOwner } from './fixtures.ts'
import { signIn } from './sign-in.ts'
import {
  banner,
  cacheKeys,
  expect,
  expireSession,
  storedUser,
  test,
  visit,
  visitAll,
} from './offline-page.ts'

// The bike with the shortest log.
const BIKE = 'Surly Cross-Check'
const OTHER = 'Blue Domane'

test.use({ serviceWorkers: 'allow', ownContext: true })

const line = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Changes that wait' })
const newName = (page: Page) => page.getByPlaceholder('+ Add New Maintenance')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('Done on a bike that was never opened waits over a reload, and is saved once by two tabs when the tracker is back', async ({
  page,
  tracker,
}) => {
  await visitAll(page, tracker.url, BIKE)
  await tracker.down()
  await page.reload()
  await expect(banner(page)).toHaveText(/What you change waits for the network/)
  await bikes(page).getByRole('button', { name: OTHER }).click()
  const due = page.getByRole('list', { name: 'Due on this bike' }).getByRole('listitem')
  const count = await due.count()
  await due.first().getByRole('button', { name: 'Done' }).click()
  await expect(line(page, '1 change waits for the network')).toBeVisible()
  await expect(due).toHaveCount(count - 1)

  await page.getByRole('alert').getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: /was done$/ })
  await edit.getByLabel('Note').fill('Hot wax')
  await edit.getByLabel('Cost').fill('7')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(line(page, '2 changes wait for the network')).toBeVisible()

  await button(page, '+ADD ROW').click()
  await newName(page).fill('Waxed in the basement')
  await newName(page).press('Enter')
  await expect(line(page, '3 changes wait for the network')).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: 'Waxed in the basement' }).first()
  await expect(row).toContainText('Waiting')

  await page.reload()
  await expect(line(page, '3 changes wait for the network')).toBeVisible()
  await expect(due).toHaveCount(count - 1)
  await expect(row).toContainText('Waiting')
  await button(page, 'Show').click()
  await expect(dialog(page).getByRole('listitem')).toHaveCount(3)
  await expect(dialog(page).getByRole('listitem').first()).toContainText('Done:')
  await expect(dialog(page).getByRole('listitem').last()).toContainText('Add: “Waxed in the basement”')
  expect(await axeViolations(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).click()

  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(line(other, '3 changes wait for the network')).toBeVisible()
  await tracker.up()
  for (const tab of [page, other]) await expect(line(tab, /wait/)).toHaveCount(0)
  await expect(due).toHaveCount(count - 1)
  await expect(row).not.toContainText('Waiting')
  await page.reload()
  await expect(row).toBeVisible()
  const owner = await signInOwner(tracker.url)
  const { data: added } = await owner.from('maintenance').select('id').eq('name', 'Waxed in the basement')
  const { data: events } = await owner
    .from('service_events')
    .select('note, maintenance(cost)')
    .eq('note', 'Hot wax')
  expect([added!.length, events]).toEqual([1, [{ note: 'Hot wax', maintenance: { cost: 7 } }]])
})

test('a value that was changed elsewhere stays with both values until the rider decides', async ({
  page,
  tracker,
  sample,
}) => {
  await visit(page, tracker.url, BIKE)
  // Another device, which still reaches the tracker.
  const owner = await signInOwner(sample.url)
  const { data } = await owner
    .from('maintenance')
    .select('id, cost, bikes!inner(name)')
    .eq('bikes.name', BIKE)
    .order('id')
  const [first, second, third] = data!.map(({ id }) => id)
  const cost = (id: number) => page.locator(`[data-item="${id}"]`).getByRole('textbox', { name: 'Cost' })
  await tracker.down()
  await page.reload()
  await expect(banner(page)).toBeVisible()
  for (const id of [first!, second!, third!]) {
    await cost(id).fill('12')
    await cost(id).press('Enter')
    await expect(page.locator(`[data-item="${id}"]`)).toContainText('Waiting')
    await expect(cost(id)).toHaveValue('$12.00')
  }
  await owner.from('maintenance').update({ cost: 77 }).in('id', [first!, second!])
  await tracker.up()
  await expect(line(page, '2 changes could not be saved')).toBeVisible()
  await expect(cost(third!)).toHaveValue('$12.00')
  await expect(cost(first!)).toHaveValue('$77.00')
  await button(page, 'Show').click()
  const rows = dialog(page).getByRole('listitem')
  await expect(rows).toHaveText([
    /Cost \$77\.00 → \$12\.00.*It was changed elsewhere\./,
    /\$77\.00 → \$12\.00/,
  ])
  await rows.first().getByRole('button', { name: 'Save mine' }).click()
  await expect(rows).toHaveCount(1)
  await rows.getByRole('button', { name: 'Drop' }).click()
  await expect(dialog(page)).toContainText('Everything is saved.')
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).click()
  await expect(cost(first!)).toHaveValue('$12.00')
  await expect(cost(second!)).toHaveValue('$77.00')
})

test('two tabs keep changes in one list, which is sent after a revoked session is renewed', async ({
  page,
  tracker,
}) => {
  await visit(page, tracker.url, BIKE)
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(other.getByRole('table')).toBeVisible()
  await tracker.down()
  for (const tab of [page, other]) {
    await tab.reload()
    await expect(banner(tab)).toBeVisible()
  }
  await newName(page).fill('From one tab')
  await newName(page).press('Enter')
  await expect(line(other, '1 change waits for the network')).toBeVisible()
  await newName(other).fill('From another tab')
  await newName(other).press('Enter')
  for (const tab of [page, other]) await expect(line(tab, '2 changes wait for the network')).toBeVisible()
  await button(page, 'Sign Out').click()
  await expect(page.getByRole('alertdialog')).toContainText('2 changes wait for the network.')
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.route('**/auth/v1/token*', (route) =>
    route.fulfill({ status: 400, json: { code: 400, error_code: 'refresh_token_not_found', msg: 'No' } }),
  )
  await other.close()
  await expireSession(page)
  await tracker.up()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await page.unroute('**/auth/v1/token*')
  await page.getByLabel('Email').fill('owner@example.com')
  await page.getByLabel('Password').fill('password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible()
  const owner = await signInOwner(tracker.url)
  await expect
    .poll(
      async () => (await owner.from('maintenance').select('name').like('name', 'From %').order('name')).data,
    )
    .toEqual([{ name: 'From another tab' }, { name: 'From one tab' }])
  await expect(line(page, /wait/)).toHaveCount(0)
})

/** Adds an entry while the tracker can't be reached. Its name's row says that it waits. */
async function addOffline(page: Page, name: string) {
  await newName(page).fill(name)
  await newName(page).press('Enter')
  const row = page.getByRole('row').filter({ hasText: name }).first()
  await expect(row).toContainText('Waiting')
  return row
}

const namesLike = async (url: string, name: string) => {
  const owner = await signInOwner(url)
  return (await owner.from('maintenance').select('name, description').like('name', name)).data
}

test('Remove takes back what a hanging request has saved, and a sign-out discards what another one would save', async ({
  page,
  tracker,
}) => {
  // A write's time limit passes at once.
  await page.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    AbortSignal.timeout = (ms) => timeout(ms === 15_000 ? 500 : ms)
  })
  await visit(page, tracker.url, BIKE)
  await tracker.down()
  await page.reload()
  await addOffline(page, 'Hung after saving')
  const { promise: sent, resolve: setSent } = Promise.withResolvers<void>()
  await page.route(
    '**/rpc/run_command',
    async (route) => {
      await route.fetch()
      setSent()
    },
    { times: 1 },
  )
  await tracker.up()
  await sent
  await button(page, 'Show').click()
  await dialog(page).getByRole('button', { name: 'Remove' }).click()
  await expect(dialog(page)).toContainText('Everything is saved.')
  expect(await namesLike(tracker.url, 'Hung %')).toEqual([])
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Hung' })).toHaveCount(0)

  await tracker.down()
  await page.reload()
  await addOffline(page, 'Hung before saving')
  const { promise: held, resolve: setHeld } = Promise.withResolvers<void>()
  await page.route('**/{rpc/run_command,auth/v1/logout*}', () => setHeld())
  // A browser goes on with a held request when its page closes.
  const givenUp = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/run_command'))
  await tracker.up()
  await held
  await button(page, 'Sign Out').click()
  await page.getByRole('button', { name: 'Discard and sign out' }).click()
  await expect(line(page, /wait/)).toHaveCount(0)
  await givenUp
  const next = await page.context().newPage()
  await page.close()
  await next.goto(tracker.url)
  const [garage, signInForm] = [next.getByRole('heading', { name: 'Garage' }), next.getByLabel('Password')]
  await expect(garage.or(signInForm)).toBeVisible()
  // The session may have ended with the tab, go on, or end while the page opens.
  await expect(async () => {
    if (await signInForm.isVisible()) {
      await signIn(next)
      // Not twice, or the form would disappear while it is filled in.
      await expect(garage).toBeVisible()
    }
    expect(await garage.isVisible()).toBe(true)
  }).toPass()
  await expect(line(next, /wait/)).toHaveCount(0)
  expect(await namesLike(tracker.url, 'Hung %')).toEqual([])
})

test('typing goes on in an entry that waits while it is saved', async ({ page, tracker }) => {
  await visit(page, tracker.url, BIKE)
  await tracker.down()
  await page.reload()
  const row = await addOffline(page, 'Half typed')
  const description = row.getByRole('textbox', { name: 'Description' })

  // A phone opens the entry while it waits.
  const [window, phone] = [page.viewportSize()!, { width: 390, height: 844 }]
  await page.setViewportSize(phone)
  await page.getByRole('button', { name: 'Details of Half typed' }).click()
  await expect(page.getByRole('dialog', { name: 'Half typed' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.setViewportSize(window)

  await description.pressSequentially('From K')
  await tracker.up()
  await expect(row).not.toContainText('Waiting')
  await expect(description).toBeFocused()
  await description.pressSequentially('MC')
  await expect(description).toHaveValue('From KMC')
  await expect(page.getByText('deleted elsewhere')).toHaveCount(0)
  await description.press('Enter')
  await expect
    .poll(() => namesLike(tracker.url, 'Half %'))
    .toEqual([{ name: 'Half typed', description: 'From KMC' }])
  await expect(description).toBeFocused()
})

/** Gives what waits in this browser to another owner: of this tracker, and of one that had its address before. */
const giveAway = (page: Page, owner: string) =>
  page.evaluate(async (owner) => {
    const opened = indexedDB.open('outbox')
    await new Promise((resolve) => opened.addEventListener('success', resolve))
    const rows = opened.result.transaction('changes', 'readwrite').objectStore('changes')
    const cursor = rows.openCursor()
    cursor.addEventListener('success', () => {
      const row = cursor.result
      const name = row?.key as string | undefined
      if (!row || !name?.startsWith(owner)) return row?.continue()
      rows.put(row.value, name.replace(owner, 'earlier'))
      if (name === owner) rows.put(row.value, 'stranger')
      rows.put('http://elsewhere sb_publishable_other', 'stranger/tracker')
      row.delete()
      row.continue()
    })
    await new Promise((resolve) => rows.transaction.addEventListener('complete', resolve))
    opened.result.close()
  }, owner)

test('asks what to do with changes that waited for an earlier owner of the same tracker', async ({
  page,
  tracker,
}) => {
  await visit(page, tracker.url, BIKE)
  await tracker.down()
  await page.reload()
  await addOffline(page, 'Earlier, sent')
  await addOffline(page, 'Earlier, dropped')
  await expect(line(page, '2 changes wait for the network. Totals leave out what waits.')).toBeVisible()
  await giveAway(page, (await storedUser(page)).id)
  await page.reload()
  await expect(line(page, '2 changes wait for your decision')).toBeVisible()
  await tracker.up()
  await button(page, 'Show').click()
  const rows = dialog(page).getByRole('listitem')
  await expect(rows).toHaveText([/Earlier, sent.*another account/, /Earlier, dropped/])
  await rows.last().getByRole('button', { name: 'Drop' }).click()
  await expect(rows).toHaveCount(1)
  await rows.getByRole('button', { name: 'Send' }).click()
  await expect(dialog(page)).toContainText('Everything is saved.')
  expect(await namesLike(tracker.url, 'Earlier, %')).toEqual([{ name: 'Earlier, sent', description: null }])
  const keys = await cacheKeys(page)
  expect(keys.filter((key) => /^(earlier|stranger)/.test(key))).toEqual(['stranger', 'stranger/tracker'])
})
