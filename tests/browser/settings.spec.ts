import type { Page } from '@playwright/test'
import manifest from '../../package.json' with { type: 'json' }
import { COMMUTER } from '../../sample/gear.ts'
import { expectAccessible } from './axe.ts'
import { expect, openAccount, openMainScreen, openSettings, signInOwner, test } from './fixtures.ts'

const SECTIONS = ['Ride with GPS', 'Display', 'Notifications', 'Access', 'Data']
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

test('shows all settings on one screen, or little more than two of a phone, with targets for thumbs', async ({
  page,
  sample,
}) => {
  await openMainScreen(page, `${sample.url}/#settings`)
  await expect(page.getByRole('button', { name: 'New token…' })).toBeVisible()
  await expect(page).toHaveTitle('Settings · RWGPS Maintenance Tracker')
  const account = page.getByRole('region', { name: 'Ride with GPS' })
  await expect(account.getByText(/^Sample Rider Account \d+$/)).toBeVisible()
  await expect(account.getByText(/^Synced .+ rides/)).toBeVisible()
  await expect(account.getByText(`Version ${manifest.version}`, { exact: true })).toBeVisible()
  await expect(account.getByText('To reconnect: Run “npm run connect”.')).toBeVisible()
  for (const [width, height, screens] of [
    [1440, 900, 1],
    [390, 844, 2.2],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const name of SECTIONS) await expect(heading(page, name)).toBeVisible()
    const shown = await page.evaluate(() => document.documentElement.scrollHeight)
    expect(shown, `${width} × ${height}`).toBeLessThanOrEqual(screens * height)
  }
  const small = await page
    .getByRole('main')
    .locator('button, select, label:has([type=radio])')
    .evaluateAll((controls) => controls.filter((one) => one.getBoundingClientRect().height < 44))
  expect(small).toEqual([])
  await expectAccessible(page)
})

test('names the account by its id if an older version synced last', async ({ page, sample }) => {
  const rows = [{ rwgps_user_id: 7, rwgps_user_name: null }]
  await page.route(/ride_syncs\?select=rwgps_user_id/, (route) => route.fulfill({ json: rows }))
  await openMainScreen(page, `${sample.url}/#settings`)
  const account = page.getByRole('region', { name: 'Ride with GPS' })
  await expect(account.getByRole('listitem').getByText('Account 7', { exact: true })).toBeVisible()
})

test('opens from the account menu and, at a section, from the command menu', async ({ page, sample }) => {
  await openMainScreen(page, `${sample.url}/#bike=${COMMUTER}`)
  await openAccount(page)
  await expect(page.locator('[popover]:popover-open').getByRole('button')).toHaveText([
    'What changed',
    'Update Rides from RWGPS',
    'Settings',
    'History',
    'Trash',
    'Export',
    /^Keyboard shortcuts/,
  ])
  await page.keyboard.press('Escape')
  await openSettings(page)
  await expect(page).toHaveURL(`${sample.url}/#settings`)
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page.getByRole('banner').getByRole('button', { pressed: true })).toHaveCount(0)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('radio', { name: 'Miles' })).toBeFocused()

  for (const [command, name] of [
    ['calendar feed', 'Notifications'],
    ['settings', 'Settings'],
    ['notifications', 'Notifications'],
  ] as const) {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill(command)
    await page.keyboard.press('Enter')
    await expect(name === 'Settings' ? page.getByRole('main') : heading(page, name)).toBeFocused()
  }
  await page.goBack()
  await page.goBack()
  await page.goBack()
  await page.goBack()
  await expect(heading(page, 'Surly Cross-Check')).toBeVisible()
})

test('what arrives late moves neither the focus nor the page', async ({ page, sample }) => {
  const late = Promise.withResolvers<void>()
  await page.route('**/rest/v1/rpc/tokens', async (route) => {
    await late.promise
    await route.continue()
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await openMainScreen(page, `${sample.url}/#settings`)
  const feed = page.getByRole('button', { name: 'Download', exact: true })
  await expect(feed).toBeDisabled()
  late.resolve()
  await expect(feed).toBeEnabled()
  await expect(page.locator('body')).toBeFocused()
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
})

test('saves each choice at once, and shows what it does', async ({ page, sample }) => {
  const owner = await signInOwner(sample.url)
  const columns = 'distance, dates, currency, week_start'
  const stored = async () => (await owner.from('settings').select(columns).maybeSingle()).data
  await openMainScreen(page, `${sample.url}/#settings`)
  const example = page.getByText(/^Nov 22, 2026|^22 Nov 2026/)
  await expect(example).toHaveText('Nov 22, 2026 · 11/22/2026 · $1,234.50 · 26\u00A0mi · Sun–Sat')
  await page.getByRole('radio', { name: 'Miles' }).press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Kilometers' })).toBeChecked()
  await expect.poll(stored).toMatchObject({ distance: 'km' })
  await page.getByLabel('Dates').selectOption('22.11.2026')
  const currency = page.getByLabel('Currency')
  await expect(currency).toHaveAccessibleDescription('Changes the sign, not the amounts.')
  await currency.selectOption('EUR – Euro')
  await page.getByRole('group', { name: 'Week starts on' }).getByRole('radio', { name: 'Monday' }).check()
  const chosen = '22 Nov 2026 · 22.11.2026 · €1,234.50 · 42\u00A0km · Mon–Sun'
  await expect(example).toHaveText(chosen)
  const wanted = { distance: 'km', dates: 'DD.MM.YYYY', currency: 'EUR', week_start: 'Monday' }
  await expect.poll(stored).toEqual(wanted)
  await page.reload()
  await expect(example).toHaveText(chosen)
})
