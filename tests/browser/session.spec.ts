import type { Page } from '@playwright/test'
import { sampleJwtSecret } from '../postgres.ts'
import { claimsOf, signToken } from '../tokens.ts'
import { axeViolations } from './axe.ts'
import { bikes, expect, openMainScreen, openSettings, signIn, test } from './fixtures.ts'
import { cacheKeys, expireSession } from './offline-page.ts'

const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true })
const signOut = (page: Page) => page.getByRole('button', { name: 'Sign Out' })

const REFRESH = '**/auth/v1/token?grant_type=refresh_token'

test.describe('with a fake clock', () => {
  test.use({ ownContext: true })

  test('refreshes an expired session on “Try again”, however long Auth was unreachable', async ({
    page,
    sample,
  }) => {
    await openMainScreen(page, sample.url)
    await expect.poll(() => cacheKeys(page)).toContainEqual(expect.stringMatching(/\/bikes$/))
    let failures = 0
    // Route before the session expires, because the open page regularly checks the session and would refresh it.
    await page.route(REFRESH, (route) => {
      failures += 1
      return route.abort('connectionreset')
    })
    await expireSession(page)
    await page.clock.install()
    await page.reload()
    const offline = page.getByText(/^Offline/)
    await expect(offline).toBeVisible()
    // Without our retries, Auth would give up after 30 seconds and wait another minute.
    for (let seconds = 0; seconds < 40; seconds += 5) {
      const before = failures
      await page.clock.fastForward(5000)
      await expect.poll(() => failures).toBeGreaterThan(before)
    }
    await expect(offline).toBeVisible()

    await page.clock.pauseAt(Date.now() + 120_000)
    await page.unroute(REFRESH)
    // Data that isn't cached has its own “Try again” button.
    const line = page.getByRole('status').filter({ has: offline }).locator('..')
    await line.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('main')).toBeFocused()
    await expect(offline).toHaveCount(0)
    await expect(bikes(page).getByRole('button')).toHaveCount(3)
  })
})

test(
  'changes a password, and resets it with the link printed in the terminal',
  { tag: '@machine' },
  async ({ page, sample }) => {
    const setPassword = async (password: string, confirmation = password) => {
      await page.getByLabel('New password').fill(password)
      await page.getByLabel('Confirm password').fill(confirmation)
      await page.getByRole('button', { name: 'Change password' }).click()
    }
    const expectRejected = async (password: string) => {
      await signIn(page, { password })
      await expect(page.getByRole('alert')).toHaveText('Wrong email or password.')
    }
    await openMainScreen(page, sample.url)
    await openSettings(page)
    // Embedded Auth doesn't support a second factor.
    await expect(page.getByRole('button', { name: 'Two-factor authentication' })).toHaveCount(0)
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
    const printed = sample.output().length
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await expect(page.getByText(/a reset link is on its way.*printed in its terminal/)).toBeVisible()
    const link = () => /http:\S+\/auth\/v1\/verify\S+/.exec(sample.output().slice(printed))?.[0]
    await expect.poll(link).toBeDefined()
    const other = await page.context().newPage()
    await other.goto(sample.url)
    await page.goto(link()!)
    // Restore the password that other tests use.
    await setPassword('password')
    for (const tab of [page, other]) await expect(signOut(tab)).toBeVisible()
    await signOut(page).click()
    await expectRejected('first new one')

    await page.goto(link()!)
    await expect(page.getByRole('alert')).toHaveText(/expired or was already used/)
    expect(page.url()).toBe(`${sample.url}/`)
    await signIn(page)
    await expect(signOut(page)).toBeVisible()
  },
)

// Embedded Auth doesn't support a second factor, so this test fakes it and the assurance level. The session and the
// database are real.
test('asks for the second factor before showing any data', async ({ page, sample }) => {
  await fakeSecondFactor(page, await sampleJwtSecret())
  await page.goto(sample.url)
  await signIn(page)
  await expect(page.getByLabel('Code')).toBeVisible()
  await expect(bikes(page)).toHaveCount(0)
  expect(await axeViolations(page)).toEqual([])
  await page.reload()
  await expect(page.getByLabel('Code')).toBeVisible()

  await page.getByLabel('Code').fill('12345')
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('alert')).toHaveText(/six-digit code/)
  await page.setViewportSize({ width: 375, height: 812 })
  expect(await axeViolations(page)).toEqual([])
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

// Fakes the endpoints that GoTrue documents. The sample's session is real.
test('adds and removes an authenticator app where Auth supports it', async ({ page, sample }) => {
  await fakeFactors(page)
  await openMainScreen(page, sample.url)
  await openSettings(page)
  await page.getByRole('button', { name: 'Two-factor authentication' }).click()
  const dialog = page.getByRole('dialog', { name: 'Two-factor authentication' })
  await dialog.getByRole('button', { name: 'Set up' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code with the key' })).toBeVisible()
  await expect(dialog.getByText('JBSWY3DPEHPK3PXP')).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
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

const signedAs = (token: string, aal: 'aal1' | 'aal2', secret: string) =>
  signToken({ ...claimsOf(token), aal }, secret)
