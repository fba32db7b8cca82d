import { bikes, expect, signIn, test } from './fixtures.ts'

test('signs in, shows a bike’s log and rides, keeps the bike and tab on reload, syncs and signs out', async ({
  page,
  sample,
}) => {
  await page.goto(sample.url)
  await expect(page).toHaveTitle('RWGPS Maintenance Tracker')
  await expect(page.getByText('Demo account: owner@example.com / password')).toBeVisible()
  await page.getByLabel('Email').press('Shift+Tab')
  await expect(page.getByRole('button', { name: 'Open the sample' })).toBeFocused()
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'RWGPS Maintenance Tracker' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sample data' })).toBeVisible()
  await expect(bikes(page).getByRole('button')).toHaveCount(3)
  await expect(bikes(page).getByRole('button', { pressed: true })).toHaveCount(0)
  await expect(page).toHaveTitle(/^\(\d\) Garage · RWGPS Maintenance Tracker$/)

  // Names come from Ride with GPS, so they may contain any text.
  const name = 'zzz <img src=x onerror="document.title=1"> javascript:alert(1)'
  // Don't route earlier, because routes disable the browser's cache.
  await page.route('**/rest/v1/rides*', async (route) => {
    const response = await route.fetch()
    const rides = (await response.json()) as { name: string }[]
    if (rides[0]) rides[0].name = name
    await route.fulfill({ response, json: rides })
  })
  const road = bikes(page).getByRole('button', { name: 'Blue Domane' })
  await road.click()
  await expect(road).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('heading', { name: 'Blue Domane' })).toBeVisible()
  await expect(page.getByText(/^Total Miles \d{1,3}(,\d{3})*\.\d\u00a0mi$/)).toBeVisible()
  await expect(page).toHaveTitle(/^\(\d\) Blue Domane · Maintenance Log · RWGPS Maintenance Tracker$/)

  const log = page.getByRole('table')
  await expect(log.getByRole('row', { name: 'Total Cost:' })).toBeVisible()
  await expect(log.getByText(/^[\d,]+\.\d\u00a0mi$/)).not.toHaveCount(0)
  await expect(log.getByText(/^\d{2,}:\d\d:\d\d$/)).not.toHaveCount(0)

  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(page).toHaveTitle(/^\(\d\) Blue Domane · Rides · RWGPS Maintenance Tracker$/)
  const rides = page.getByRole('table')
  const ride = rides.getByRole('row').filter({ hasText: name })
  await expect(ride).toContainText('\u00a0mi')
  const link = ride.getByRole('link')
  await expect(link).toHaveText(name)
  await expect(link).toHaveAttribute('href', /^http:\/\/127\.0\.0\.1:\d+\/trips\/\d+$/)
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', /noopener/)

  // The rides don't fit on one page. The count includes the header and totals rows.
  await page.getByLabel('Gear').selectOption('all')
  await expect.poll(async () => Number(await rides.getAttribute('aria-rowcount')) - 2).toBeGreaterThan(1390)

  await page.unrouteAll({ behavior: 'wait' })
  await bikes(page).getByRole('button', { name: 'Surly Cross-Check' }).click()
  await page.reload()
  await expect(bikes(page).getByRole('button', { name: 'Surly Cross-Check' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(page.getByRole('tab', { name: 'Rides' })).toHaveAttribute('aria-selected', 'true')
  await expect(page).toHaveTitle('Surly Cross-Check · Rides · RWGPS Maintenance Tracker')

  const update = page.getByRole('button', { name: 'Update Rides from RWGPS' })
  const [sync] = await Promise.all([page.waitForResponse('**/functions/v1/update-rides'), update.click()])
  expect(sync.status()).toBe(200)
  // The rider may have finished a ride since the sample was prepared.
  await expect(page.getByRole('status').filter({ hasText: 'Synced' })).toContainText(
    /rides, (nothing|\d+) new/,
  )
  await expect(update).not.toHaveAttribute('aria-busy', 'true')

  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(bikes(page)).toHaveCount(0)
  await expect(page).toHaveTitle('RWGPS Maintenance Tracker')
})

test('explains a failed sign-in and keeps the form', async ({ page, sample }) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/auth/v1/')) sent.push(request.url())
  })
  await page.goto(sample.url)
  const [alert, button] = [page.getByRole('alert'), page.getByRole('button', { name: 'Sign in' })]
  await button.click()
  await expect(alert).toHaveText('Enter your email and password.')
  expect(sent).toEqual([])

  await signIn(page, { password: 'not-it' })
  await expect(alert).toHaveText('Wrong email or password.')
  await page.route('**/auth/v1/token*', (route) =>
    route.fulfill({ status: 507, json: { code: 507, msg: 'No' } }),
  )
  await signIn(page)
  await expect(alert).toHaveText('The tracker’s disk is full. Free up some space, then try again.')
  await page.route('**/auth/v1/token*', (route) => route.abort('internetdisconnected'))
  await button.click()
  await expect(alert).toContainText(/network|reach|connect/i)
  await expect(page.getByLabel('Email')).toHaveValue('owner@example.com')
  await expect(page.getByLabel('Password')).toHaveValue('password')

  await page.unroute('**/auth/v1/token*')
  await button.click()
  await expect(bikes(page)).toBeVisible()
})
