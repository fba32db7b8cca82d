import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { start, temporaryFolder } from '../running.ts'
import { claimsOf, signToken } from '../tokens.ts'
import { findings } from './axe.ts'
import { bikes, expect, openMainScreen, signIn, test } from './fixtures.ts'

const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true })
const signOut = (page: Page) => page.getByRole('button', { name: 'Sign Out' })

/** The names of what Auth keeps in this browser. */
const keptByAuth = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('auth-token')))

/** Changes the session that is kept in this browser; undefined takes a part out. */
async function changeKeptSession(page: Page, changes: Record<string, unknown>) {
  const [key] = await keptByAuth(page)
  await page.evaluate(
    ({ key, changes }) => {
      const session = JSON.parse(localStorage.getItem(key)!)
      for (const name of Object.keys(changes)) delete session[name]
      localStorage.setItem(key, JSON.stringify({ ...session, ...changes }))
    },
    { key: key!, changes },
  )
}

const PARTS = ['refresh_token', 'access_token', 'expires_at']
const EXPIRED = { expires_at: 1_600_000_000 }
const isRefresh = '**/auth/v1/token?grant_type=refresh_token'

test('Sign Out ends the session in every tab, and leaves nothing of it behind', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await bikes(page).getByRole('button').first().click()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(signOut(other)).toBeVisible()

  await signOut(page).click()
  for (const tab of [page, other]) await expect(signInButton(tab)).toBeVisible()
  expect(await keptByAuth(page)).toEqual([])
  await page.goBack()
  await expect(signInButton(page)).toBeVisible()
  await other.reload()
  await expect(signInButton(other)).toBeVisible()
})

for (const status of [401, 404]) {
  test(`a session that Auth no longer knows (${status}) is signed out of all the same`, async ({
    page,
    sample,
  }) => {
    await openMainScreen(page, sample.url)
    await page.route('**/auth/v1/logout*', (route) =>
      route.fulfill({ status, json: { code: status, error_code: 'session_not_found', msg: 'Unknown' } }),
    )
    await signOut(page).click()
    await expect(signInButton(page)).toBeVisible()
    expect(await keptByAuth(page)).toEqual([])
  })
}

for (const part of PARTS) {
  test(`a kept session without its ${part} is none`, async ({ page, sample }) => {
    await openMainScreen(page, sample.url)
    await changeKeptSession(page, { [part]: undefined })
    await page.reload()
    await expect(signInButton(page)).toBeVisible()
  })
}

test('an expired session whose refresh is refused is removed', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await changeKeptSession(page, EXPIRED)
  await page.route(isRefresh, (route) =>
    route.fulfill({ status: 400, json: { code: 400, error_code: 'refresh_token_not_found', msg: 'No' } }),
  )
  await page.reload()
  await expect(signInButton(page)).toBeVisible()
  expect(await keptByAuth(page)).toEqual([])
})

test('an expired session outlives a network that fails for a while', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await changeKeptSession(page, EXPIRED)
  let failures = 0
  await page.route(isRefresh, (route) => (++failures > 2 ? route.fallback() : route.abort('connectionreset')))
  await page.reload()
  await expect.poll(() => failures).toBeGreaterThan(2)
  await expect(bikes(page).getByRole('button')).toHaveCount(4)
  await expect(page.getByText(/^Offline/)).toHaveCount(0)
})

for (const [when, wake] of [
  [
    'the owner presses Try again',
    async (page: Page) => {
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByRole('main')).toBeFocused()
    },
  ],
  [
    'the browser comes online',
    (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('online'))),
  ],
  [
    'the window gets the focus',
    (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus'))),
  ],
] as const) {
  test(`an expired session waits while Auth cannot be reached, and is refreshed when ${when}`, async ({
    page,
    sample,
  }) => {
    await openMainScreen(page, sample.url)
    await expect(bikes(page).getByRole('button')).toHaveCount(4)
    await changeKeptSession(page, EXPIRED)
    let failures = 0
    await page.route(isRefresh, (route) => {
      failures += 1
      return route.abort('connectionreset')
    })
    await page.clock.install()
    await page.reload()
    await expect(page.getByText(/^Offline/)).toBeVisible()
    // Auth by itself would give up after half a minute, and then not ask again for a whole one.
    for (let seconds = 0; seconds < 40; seconds += 5) {
      const before = failures
      await page.clock.fastForward(5000)
      await expect.poll(() => failures).toBeGreaterThan(before)
    }
    await expect(page.getByText(/^Offline/)).toBeVisible()
    expect(await keptByAuth(page)).toHaveLength(1)

    await page.clock.pauseAt(Date.now() + 120_000)
    await page.unroute(isRefresh)
    await wake(page)
    await expect(page.getByText(/^Offline/)).toHaveCount(0)
    await expect(bikes(page).getByRole('button')).toHaveCount(4)
  })
}

for (const [status, headers, message] of [
  [429, { 'Retry-After': '30' }, 'Too many attempts. Try again in 30 seconds.'],
  [503, {}, 'The tracker is busy or still starting. Try again in a moment.'],
  [507, {}, 'The tracker’s disk is full. Free some space on it, then try again.'],
] as const) {
  test(`a sign-in that is answered ${status} says what is wrong and when to try again`, async ({
    page,
    sample,
  }) => {
    await page.clock.setFixedTime(new Date())
    await page.route('**/auth/v1/token*', (route) =>
      route.fulfill({ status, headers, json: { code: status, msg: 'Not now' } }),
    )
    await page.goto(sample.url)
    await signIn(page)
    await expect(page.getByRole('alert')).toHaveText(message)
    await expect(page.getByLabel('Email')).toHaveValue('owner@example.com')
  })
}

test('the page title names the bike and the tab while one is selected', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await expect(page).toHaveTitle('RWGPS Maintenance Tracker')
  await bikes(page).getByRole('button', { name: 'Blue Domane' }).click()
  await expect(page).toHaveTitle('Blue Domane · Maintenance Log · RWGPS Maintenance Tracker')
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(page).toHaveTitle('Blue Domane · Rides · RWGPS Maintenance Tracker')
  await bikes(page).getByRole('button', { name: 'Hardtail' }).click()
  await expect(page).toHaveTitle('Hardtail · Rides · RWGPS Maintenance Tracker')
  await signOut(page).click()
  await expect(page).toHaveTitle('RWGPS Maintenance Tracker')
})

test('names are text, whatever is written in them, and a link goes to the trip alone', async ({
  page,
  sample,
}) => {
  await openMainScreen(page, sample.url)
  await page.route('**/rest/v1/rides*', async (route) => {
    const answer = await route.fetch()
    const rides = (await answer.json()) as { name: string }[]
    if (rides[0]) rides[0].name = 'zzz <img src=x onerror="document.title=1"> javascript:alert(1)'
    await route.fulfill({ response: answer, json: rides })
  })
  await bikes(page).getByRole('button').first().click()
  await page.getByRole('tab', { name: 'Rides' }).click()
  const link = page.getByRole('link', { name: /^zzz/ })
  await expect(link).toHaveText('zzz <img src=x onerror="document.title=1"> javascript:alert(1)')
  await expect(link).toHaveAttribute('href', /^http:\/\/127\.0\.0\.1:\d+\/trips\/\d+$/)
  await expect(page).toHaveTitle(/ · Rides · RWGPS Maintenance Tracker$/)
})

test('a password is changed, forgotten, and chosen anew by the link that the console prints', async ({
  page,
}) => {
  const { folder, remove } = await temporaryFolder()
  const stack = await start({ TRACKER_DATA_DIR: folder })
  const chooses = async (password: string, repeated = password) => {
    await page.getByLabel('New password').fill(password)
    await page.getByLabel('The same again').fill(repeated)
    await page.getByRole('button', { name: 'Change password' }).click()
  }
  const isRefused = async (password: string) => {
    await signIn(page, { password })
    await expect(page.getByRole('alert')).toContainText('password is not right')
  }
  try {
    await openMainScreen(page, stack.url)
    await page.getByRole('button', { name: 'Change password' }).click()
    await chooses('first new one', 'first new two')
    await expect(page.getByRole('alert')).toHaveText('The two are not the same.')
    await chooses('short')
    await expect(page.getByRole('alert')).toContainText('too weak')
    await chooses('first new one')
    await expect(page.getByText('The password was changed.')).toBeVisible()
    await signOut(page).click()
    await isRefused('password')

    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect(page.getByRole('alert')).toHaveText('Enter your e-mail.')
    await page.getByLabel('Email').fill('owner@example.com')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect(page.getByText(/a link is on its way.*printed in the terminal/)).toBeVisible()
    const [link] = await stack.line(/http:\/\/\S+\/auth\/v1\/verify\S+/)
    const other = await page.context().newPage()
    await other.goto(stack.url)
    await page.goto(link)
    await chooses('second new one')
    for (const tab of [page, other]) await expect(signOut(tab)).toBeVisible()
    await signOut(page).click()
    await isRefused('first new one')

    await page.goto(link)
    await expect(page.getByRole('alert')).toHaveText(/expired or was used/)
    expect(page.url()).toBe(`${stack.url}/`)
    await signIn(page, { password: 'second new one' })
    await expect(signOut(page)).toBeVisible()
  } finally {
    await stack.stop()
    await remove()
  }
})

// The one place where Auth is played: the embedded one knows no second factor. What the played one adds is the factor
// and the level; the session beneath is real, and so is the database that it opens.
test('an owner with a second factor is asked for its code, and sees nothing before', async ({ page }) => {
  const { folder, remove } = await temporaryFolder()
  const stack = await start({ TRACKER_DATA_DIR: folder })
  try {
    const { jwtSecret } = JSON.parse(await readFile(`${folder}/sample-keys.json`, 'utf8'))
    await playSecondFactor(page, jwtSecret)
    await page.goto(stack.url)
    await signIn(page)
    await expect(page.getByLabel('Code')).toBeVisible()
    await expect(bikes(page)).toHaveCount(0)
    expect(await findings(page)).toEqual([])
    await page.reload()
    await expect(page.getByLabel('Code')).toBeVisible()

    await page.getByLabel('Code').fill('12345')
    await page.getByRole('button', { name: 'Verify' }).click()
    await expect(page.getByRole('alert')).toHaveText(/six digits/)
    await page.setViewportSize({ width: 375, height: 812 })
    expect(await findings(page)).toEqual([])
    await page.getByLabel('Code').fill('000 000')
    await page.getByRole('button', { name: 'Verify' }).click()
    await expect(page.getByRole('alert')).toHaveText(/code is not right/)
    await page.getByLabel('Code').fill('123 456')
    await page.getByRole('button', { name: 'Verify' }).click()
    await expect(bikes(page).getByRole('button')).toHaveCount(4)

    await page.reload()
    await expect(bikes(page).getByRole('button')).toHaveCount(4)
    await signOut(page).click()
    await expect(signInButton(page)).toBeVisible()
  } finally {
    await stack.stop()
    await remove()
  }
})

async function playSecondFactor(page: Page, jwtSecret: string) {
  const factors = [{ id: 'f1', friendly_name: 'Phone', factor_type: 'totp', status: 'verified' }]
  let session: { access_token: string; user: object } | undefined
  await page.route('**/auth/v1/token*', async (route) => {
    const answer = await route.fetch()
    const given = await answer.json()
    session = {
      ...given,
      access_token: signedAs(given.access_token, 'aal1', jwtSecret),
      user: { ...given.user, factors },
    }
    await route.fulfill({ response: answer, json: session })
  })
  await page.route('**/auth/v1/user', (route) => route.fulfill({ json: session!.user }))
  await page.route('**/auth/v1/factors/f1/challenge', (route) =>
    route.fulfill({ json: { id: 'c1', type: 'totp', expires_at: 4_000_000_000 } }),
  )
  await page.route('**/auth/v1/factors/f1/verify', (route) => {
    const { challenge_id, code } = route.request().postDataJSON()
    if (challenge_id !== 'c1' || code !== '123456') {
      const refusal = { code: 422, error_code: 'mfa_verification_failed', msg: 'Invalid TOTP code entered' }
      return route.fulfill({ status: 422, json: refusal })
    }
    return route.fulfill({
      json: { ...session, access_token: signedAs(session!.access_token, 'aal2', jwtSecret) },
    })
  })
}

/** The same token at another level of assurance. */
const signedAs = (token: string, aal: 'aal1' | 'aal2', secret: string) =>
  signToken({ ...claimsOf(token), aal }, secret)
