import type { Page } from '@playwright/test'
import { sampleJwtSecret, startSample } from '../postgres.ts'
import { claimsOf, signToken } from '../tokens.ts'
import { findings } from './axe.ts'
import { bikes, expect, openAccount, openMainScreen, signIn, test } from './fixtures.ts'

const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true })
const signOut = (page: Page) => page.getByRole('button', { name: 'Sign Out' })

/** The localStorage keys of stored sessions. */
const sessionKeys = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('auth-token')))

/** Changes the stored session; undefined removes a field. */
async function changeStoredSession(page: Page, changes: Record<string, unknown>) {
  const [key] = await sessionKeys(page)
  await page.evaluate(
    ({ key, changes }) => {
      const session = JSON.parse(localStorage.getItem(key)!)
      for (const name of Object.keys(changes)) delete session[name]
      localStorage.setItem(key, JSON.stringify({ ...session, ...changes }))
    },
    { key: key!, changes },
  )
}

const FIELDS = ['refresh_token', 'access_token', 'expires_at']
const EXPIRED = { expires_at: 1_600_000_000 }
const REFRESH = '**/auth/v1/token?grant_type=refresh_token'

test('Sign Out ends the session in every tab and removes it', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await bikes(page).getByRole('button').first().click()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(signOut(other)).toBeVisible()

  await signOut(page).click()
  for (const tab of [page, other]) await expect(signInButton(tab)).toBeVisible()
  expect(await sessionKeys(page)).toEqual([])
  await page.goBack()
  await expect(signInButton(page)).toBeVisible()
  await other.reload()
  await expect(signInButton(other)).toBeVisible()
})

for (const status of [401, 404]) {
  test(`signs out of a session that Auth no longer knows (${status})`, async ({ page, sample }) => {
    await openMainScreen(page, sample.url)
    await page.route('**/auth/v1/logout*', (route) =>
      route.fulfill({ status, json: { code: status, error_code: 'session_not_found', msg: 'Unknown' } }),
    )
    await signOut(page).click()
    await expect(signInButton(page)).toBeVisible()
    expect(await sessionKeys(page)).toEqual([])
  })
}

test('ignores an incomplete stored session', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  const complete = await page.evaluate(() => Object.fromEntries(Object.entries(localStorage)))
  for (const field of FIELDS) {
    await page.evaluate((complete) => Object.assign(localStorage, complete), complete)
    await changeStoredSession(page, { [field]: undefined })
    await page.reload()
    await expect(signInButton(page), `without ${field}`).toBeVisible()
  }
})

test('removes an expired session whose refresh is rejected', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await page.route(REFRESH, (route) =>
    route.fulfill({ status: 400, json: { code: 400, error_code: 'refresh_token_not_found', msg: 'No' } }),
  )
  await changeStoredSession(page, EXPIRED)
  await page.reload()
  await expect(signInButton(page)).toBeVisible()
  expect(await sessionKeys(page)).toEqual([])
})

test('an expired session survives a network failure', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  let failures = 0
  await page.route(REFRESH, (route) => (++failures > 2 ? route.fallback() : route.abort('connectionreset')))
  await changeStoredSession(page, EXPIRED)
  await page.reload()
  await expect.poll(() => failures).toBeGreaterThan(2)
  await expect(bikes(page).getByRole('button')).toHaveCount(3)
  await expect(page.getByText(/^Offline/)).toHaveCount(0)
})

const FAILURES = [
  [429, { 'Retry-After': '30' }, 'Too many attempts. Try again in 30 seconds.'],
  [503, {}, 'The tracker is busy or still starting. Try again in a moment.'],
  [507, {}, 'The tracker’s disk is full. Free up some space, then try again.'],
] as const

test.describe('with a fake clock', () => {
  test.use({ ownContext: true })

  for (const [when, wake] of [
    [
      'the owner presses Try again',
      async (page: Page) => {
        // The one of the line about being offline. Data that isn't cached has its own.
        await page.getByRole('button', { name: 'Try again' }).first().click()
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
    test(`refreshes an expired session after Auth was unreachable when ${when}`, async ({ page, sample }) => {
      await openMainScreen(page, sample.url)
      await expect(bikes(page).getByRole('button')).toHaveCount(3)
      let failures = 0
      // Before the session expires: the open page checks it now and then, and would refresh it.
      await page.route(REFRESH, (route) => {
        failures += 1
        return route.abort('connectionreset')
      })
      await changeStoredSession(page, EXPIRED)
      await page.clock.install()
      await page.reload()
      await expect(page.getByText(/^Offline/)).toBeVisible()
      // Without our retries, Auth would give up after 30 seconds and not try again for another minute.
      for (let seconds = 0; seconds < 40; seconds += 5) {
        const before = failures
        await page.clock.fastForward(5000)
        await expect.poll(() => failures).toBeGreaterThan(before)
      }
      await expect(page.getByText(/^Offline/)).toBeVisible()
      expect(await sessionKeys(page)).toHaveLength(1)

      await page.clock.pauseAt(Date.now() + 120_000)
      await page.unroute(REFRESH)
      await wake(page)
      await expect(page.getByText(/^Offline/)).toHaveCount(0)
      await expect(bikes(page).getByRole('button')).toHaveCount(3)
    })
  }

  test('explains why a sign-in failed', async ({ page, sample }) => {
    await page.clock.setFixedTime(new Date())
    await page.goto(sample.url)
    for (const [status, headers, message] of FAILURES) {
      await page.route('**/auth/v1/token*', (route) =>
        route.fulfill({ status, headers, json: { code: status, msg: 'No' } }),
      )
      await signIn(page)
      await expect(page.getByRole('alert')).toHaveText(message)
      await expect(page.getByLabel('Email')).toHaveValue('owner@example.com')
    }
  })
})

test('the page title counts what is due, and names the selected bike and tab', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await expect(page).toHaveTitle(/^\(\d\) Garage · RWGPS Maintenance Tracker$/)
  await bikes(page).getByRole('button', { name: 'Blue Domane' }).click()
  await expect(page).toHaveTitle(/^\(\d\) Blue Domane · Maintenance Log · RWGPS Maintenance Tracker$/)
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(page).toHaveTitle(/^\(\d\) Blue Domane · Rides · RWGPS Maintenance Tracker$/)
  await bikes(page).getByRole('button', { name: 'Surly Cross-Check' }).click()
  await expect(page).toHaveTitle('Surly Cross-Check · Rides · RWGPS Maintenance Tracker')
  await signOut(page).click()
  await expect(page).toHaveTitle('RWGPS Maintenance Tracker')
})

test('renders ride names as text and links only to the trip', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await page.route('**/rest/v1/rides*', async (route) => {
    const response = await route.fetch()
    const rides = (await response.json()) as { name: string }[]
    if (rides[0]) rides[0].name = 'zzz <img src=x onerror="document.title=1"> javascript:alert(1)'
    await route.fulfill({ response, json: rides })
  })
  await bikes(page).getByRole('button').first().click()
  await page.getByRole('tab', { name: 'Rides' }).click()
  const link = page.getByRole('link', { name: /^zzz/ })
  await expect(link).toHaveText('zzz <img src=x onerror="document.title=1"> javascript:alert(1)')
  await expect(link).toHaveAttribute('href', /^http:\/\/127\.0\.0\.1:\d+\/trips\/\d+$/)
  await expect(page).toHaveTitle(/ · Rides · RWGPS Maintenance Tracker$/)
})

test('changes a password, and resets it with the link printed in the terminal', async ({ page }) => {
  const stack = await startSample()
  const setPassword = async (password: string, confirmation = password) => {
    await page.getByLabel('New password').fill(password)
    await page.getByLabel('Confirm password').fill(confirmation)
    await page.getByRole('button', { name: 'Change password' }).click()
  }
  const expectRejected = async (password: string) => {
    await signIn(page, { password })
    await expect(page.getByRole('alert')).toHaveText('Wrong email or password.')
  }
  try {
    await openMainScreen(page, stack.url)
    await openAccount(page)
    await page.getByRole('button', { name: 'Change password' }).click()
    await setPassword('first new one', 'first new two')
    await expect(page.getByRole('alert')).toHaveText('The passwords do not match.')
    await setPassword('short')
    await expect(page.getByRole('alert')).toContainText('too weak')
    await setPassword('first new one')
    await expect(page.getByText('Password changed.')).toBeVisible()
    await signOut(page).click()
    await expectRejected('password')

    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await expect(page.getByRole('alert')).toHaveText('Enter your email.')
    await page.getByLabel('Email').fill('owner@example.com')
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await expect(page.getByText(/a reset link is on its way.*printed in its terminal/)).toBeVisible()
    const [link] = await stack.line(/http:\/\/\S+\/auth\/v1\/verify\S+/)
    const other = await page.context().newPage()
    await other.goto(stack.url)
    await page.goto(link)
    await setPassword('second new one')
    for (const tab of [page, other]) await expect(signOut(tab)).toBeVisible()
    await signOut(page).click()
    await expectRejected('first new one')

    await page.goto(link)
    await expect(page.getByRole('alert')).toHaveText(/expired or was already used/)
    expect(page.url()).toBe(`${stack.url}/`)
    await signIn(page, { password: 'second new one' })
    await expect(signOut(page)).toBeVisible()
  } finally {
    await stack.stop()
  }
})

// Embedded Auth has no second factor, so this test fakes the factor and the assurance level. The session and the
// database are real.
test('asks for the second factor before showing any data', async ({ page, sample }) => {
  await fakeSecondFactor(page, await sampleJwtSecret())
  await page.goto(sample.url)
  await signIn(page)
  await expect(page.getByLabel('Code')).toBeVisible()
  await expect(bikes(page)).toHaveCount(0)
  expect(await findings(page)).toEqual([])
  await page.reload()
  await expect(page.getByLabel('Code')).toBeVisible()

  await page.getByLabel('Code').fill('12345')
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('alert')).toHaveText(/six-digit code/)
  await page.setViewportSize({ width: 375, height: 812 })
  expect(await findings(page)).toEqual([])
  await page.getByLabel('Code').fill('000 000')
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('alert')).toHaveText(/Wrong or expired code/)
  await page.getByLabel('Code').fill('123 456')
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(bikes(page).getByRole('button')).toHaveCount(3)

  await page.reload()
  await expect(bikes(page).getByRole('button')).toHaveCount(3)
  await signOut(page).click()
  await expect(signInButton(page)).toBeVisible()
})

async function fakeSecondFactor(page: Page, jwtSecret: string) {
  const factors = [{ id: 'f1', friendly_name: 'Phone', factor_type: 'totp', status: 'verified' }]
  let session: { access_token: string; user: object } | undefined
  await page.route('**/auth/v1/token*', async (route) => {
    const response = await route.fetch()
    const given = await response.json()
    session = {
      ...given,
      access_token: signedAs(given.access_token, 'aal1', jwtSecret),
      user: { ...given.user, factors },
    }
    await route.fulfill({ response, json: session })
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

// As GoTrue documents its endpoints. The sample's session is real.
test('adds and removes an authenticator app where Auth supports it', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await openAccount(page)
  await expect(page.getByRole('button', { name: 'Second factor' })).toHaveCount(0)

  await fakeFactors(page)
  await page.reload()
  await openAccount(page)
  await page.getByRole('button', { name: 'Second factor' }).click()
  const dialog = page.getByRole('dialog', { name: 'Second factor' })
  await dialog.getByRole('button', { name: 'Set up' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code with the key' })).toBeVisible()
  await expect(dialog.getByText('JBSWY3DPEHPK3PXP')).toBeVisible()
  expect(await findings(page)).toEqual([])
  await dialog.getByLabel('Code').fill('000000')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(/Wrong or expired code/)
  await dialog.getByLabel('Code').fill('123 456')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByText('On since Nov 21, 2026')).toBeVisible()
  await expect(dialog.getByText(/If you lose both/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(dialog.getByRole('button', { name: 'Set up' })).toBeVisible()
})

async function fakeFactors(page: Page) {
  let factors: { id: string; factor_type: 'totp'; status: string; created_at: string }[] = []
  await page.route('**/config.json', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), secondFactor: true } })
  })
  await page.route('**/auth/v1/user', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), factors } })
  })
  await page.route('**/auth/v1/factors', (route) => {
    factors = [{ id: 'f1', factor_type: 'totp', status: 'unverified', created_at: '2026-11-21T12:00:00Z' }]
    const totp = {
      qr_code: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M1 1h3v3h-3z"/></svg>',
      secret: 'JBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/tracker?secret=JBSWY3DPEHPK3PXP',
    }
    return route.fulfill({ json: { id: 'f1', type: 'totp', friendly_name: '', totp } })
  })
  await page.route('**/auth/v1/factors/f1', (route) => {
    factors = []
    return route.fulfill({ json: { id: 'f1' } })
  })
  await page.route('**/auth/v1/factors/f1/challenge', (route) =>
    route.fulfill({ json: { id: 'c1', type: 'totp', expires_at: 4_000_000_000 } }),
  )
  await page.route('**/auth/v1/factors/f1/verify', async (route) => {
    if (route.request().postDataJSON().code !== '123456') {
      const refusal = { code: 422, error_code: 'mfa_verification_failed', msg: 'Invalid TOTP code entered' }
      return route.fulfill({ status: 422, json: refusal })
    }
    for (const factor of factors) factor.status = 'verified'
    const stored = await page.evaluate(() => localStorage.getItem('sb-127-auth-token'))
    return route.fulfill({ json: JSON.parse(stored!) })
  })
}

/** The same token with another assurance level. */
const signedAs = (token: string, aal: 'aal1' | 'aal2', secret: string) =>
  signToken({ ...claimsOf(token), aal }, secret)
