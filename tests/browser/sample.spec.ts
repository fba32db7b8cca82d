import { bikes, expect, openMainScreen, signIn, test } from './fixtures.ts'

const NBSP = '\u00a0'

test('signs in, shows a bike’s log and rides, syncs and signs out', async ({ page, sample }) => {
  await page.goto(sample.url)
  await expect(page).toHaveTitle('RWGPS Maintenance Tracker')
  await expect(page.getByText('Demo account: owner@example.com / password')).toBeVisible()
  await signIn(page)

  await expect(page.getByRole('heading', { name: 'RWGPS Maintenance Tracker' })).toBeVisible()
  await expect(page.getByText(/sample/i).first()).toBeVisible()
  await expect(bikes(page).getByRole('button')).toHaveCount(3)
  await expect(bikes(page).getByRole('button', { pressed: true })).toHaveCount(0)

  const road = bikes(page).getByRole('button', { name: 'Blue Domane' })
  await road.click()
  await expect(road).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('heading', { name: 'Blue Domane' })).toBeVisible()
  await expect(page.getByText(/^Total Miles \d{1,3}(,\d{3})*\.\d\u00a0mi$/)).toBeVisible()

  const log = page.getByRole('table')
  await expect(log.getByRole('columnheader')).toHaveText(
    ['Type', 'Name', 'Description', 'Cost', 'Start', 'End', 'Use Miles', 'Use Time', 'Delete'],
    { useInnerText: false },
  )
  await expect(log.getByRole('row').last()).toContainText('Total Cost:')
  await expect(log.getByText(/^[\d,]+\.\d\u00a0mi$/).first()).toBeVisible()
  await expect(log.getByText(/^\d{2,}:\d\d:\d\d$/).first()).toBeVisible()

  await page.getByRole('tab', { name: 'Rides' }).click()
  const rides = page.getByRole('table')
  await expect(rides.getByRole('columnheader')).toHaveText([
    'Thumbnail',
    'Name',
    'Gear',
    'Distance',
    'Duration',
    'Moving Time',
    'Max Speed',
    'Avg Speed',
    'Avg HR',
    'Max HR',
    'Average Watts',
    'Max Watts',
    'Average Cadence',
    'Elev. Gain',
  ])
  const firstRide = rides.getByRole('row').nth(1)
  await expect(firstRide).toContainText(`${NBSP}mi`)
  const link = firstRide.getByRole('link')
  await expect(link).toHaveAttribute('href', /^http:\/\/127\.0\.0\.1:\d+\/trips\/\d+$/)
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', /noopener/)

  const update = page.getByRole('button', { name: 'Update Rides from RWGPS' })
  const [sync] = await Promise.all([page.waitForResponse('**/functions/v1/update-rides'), update.click()])
  expect(sync.status()).toBe(200)
  // The rider may have finished a ride since the sample was prepared.
  await expect(page.getByRole('status').filter({ hasText: 'Last updated' })).toContainText(
    /rides, (nothing|\d+) new/,
  )
  await expect(update).not.toHaveAttribute('aria-busy', 'true')

  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(bikes(page)).toHaveCount(0)
})

test('lists all rides of an account with more than one page', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await bikes(page).getByRole('button').first().click()
  await page.getByRole('tab', { name: 'Rides' }).click()
  await page.getByLabel('Gear').selectOption('all')
  await expect(async () => {
    // Minus the header and totals rows.
    const rows = Number(await page.getByRole('table').getAttribute('aria-rowcount'))
    expect(rows - 2).toBeGreaterThan(1390)
  }).toPass()
})

test('shows an error for a wrong password and keeps the email', async ({ page, sample }) => {
  await page.goto(sample.url)
  await signIn(page, { password: 'not-it' })
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password.')
  await expect(page.getByLabel('Email')).toHaveValue('owner@example.com')
})

test('shows an error for an empty field and sends nothing', async ({ page, sample }) => {
  await page.goto(sample.url)
  const sent: string[] = []
  page.on('request', (request) => request.url().includes('/auth/v1/') && sent.push(request.url()))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).not.toBeEmpty()
  expect(sent).toEqual([])
})

test('shows a network error, keeps the form and works on retry', async ({ page, sample }) => {
  await page.goto(sample.url)
  await page.route('**/auth/v1/**', (route) => route.abort('internetdisconnected'))
  await signIn(page)
  await expect(page.getByRole('alert')).toContainText(/network|reach|connect/i)
  await expect(page.getByLabel('Email')).toHaveValue('owner@example.com')
  await expect(page.getByLabel('Password')).toHaveValue('password')
  await page.unroute('**/auth/v1/**')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible()
})

test('a reload keeps the session, bike and tab', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await bikes(page).getByRole('button', { name: 'Surly Cross-Check' }).click()
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(page.getByRole('table')).toBeVisible()
  await page.reload()
  await expect(bikes(page).getByRole('button', { name: 'Surly Cross-Check' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(page.getByRole('tab', { name: 'Rides' })).toHaveAttribute('aria-selected', 'true')
})

test('loads the main screen only after sign-in', async ({ page, sample }) => {
  const scripts: string[] = []
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
  await page.goto(sample.url)
  await expect(page.getByLabel('Email')).toBeVisible()
  const before = scripts.length
  await signIn(page)
  await expect(bikes(page)).toBeVisible()
  expect(scripts.length).toBeGreaterThan(before)
})
