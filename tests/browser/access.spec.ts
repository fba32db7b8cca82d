import type { Page } from '@playwright/test'
import { expectAccessible, findings } from './axe.ts'
import { bikes, expect, openAccount, openMainScreen, signIn, test, signInOwner } from './fixtures.ts'

// The bike with the shortest log, because axe checks every element.
const BIKE = 'Surly Cross-Check'
test.describe.configure({ timeout: 120_000 })

/** The row of the first log entry, with its editors. A phone opens them. */
async function openEntry(page: Page) {
  const row = page.getByRole('row').nth(1)
  const details = row.getByRole('button', { name: /^Details of / })
  await expect(details.or(row.getByRole('textbox', { name: 'Name' })).first()).toBeVisible()
  if ((await row.getByRole('textbox').count()) === 0) await details.click()
  return row
}

test('sign-in and the password cards have no axe violations, also with an error', async ({
  page,
  sample,
}) => {
  await page.goto(sample.url)
  await expect(page.getByLabel('Email')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).not.toBeEmpty()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('button', { name: 'Send reset link' })).toBeVisible()
  await expectAccessible(page)
  await openMainScreen(page, sample.url)
  await openAccount(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByLabel('New password')).toBeVisible()
  await expectAccessible(page)
})

test('the rides and a drill-down have no axe violations, and only the tables scroll sideways', async ({
  page,
  sample,
}) => {
  await openMainScreen(page, sample.url)
  await bikes(page).getByRole('button', { name: BIKE }).click()
  await expect(page.getByRole('row').last()).toContainText('Total Cost:')
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Rides' }).click()
  await expect(page.getByRole('row').nth(2)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: /^Total Miles/ }).click()
  await expect(page.getByText(/ rides, the first /)).toBeVisible()
  await expectAccessible(page)
})

for (const [device, viewport] of [
  ['a desktop', { width: 1440, height: 900 }],
  ['a phone', { width: 375, height: 812 }],
] as const) {
  test.describe(`on ${device}`, () => {
    test.use({ viewport })

    test('the log has no axe violations with a draft, the calendar or a dialog', async ({ page, sample }) => {
      await openMainScreen(page, sample.url)
      await bikes(page).getByRole('button', { name: BIKE }).click()
      await expect(page.getByRole('row').last()).toContainText('Total Cost:')
      await expect(page.getByText(/^Total Miles [\d,]+/)).toBeVisible()

      const row = await openEntry(page)
      await row.getByRole('textbox', { name: 'Name' }).fill('')
      expect(await findings(page)).toEqual([])
      await row.getByRole('textbox', { name: 'Name' }).press('Escape')

      await row.getByRole('textbox', { name: 'Start' }).focus()
      await expect(page.locator('.react-datepicker')).toBeVisible()
      expect(await findings(page)).toEqual([])
      await page.keyboard.press('Escape')

      await row.getByRole('button', { name: 'Delete' }).click()
      await expect(page.getByRole('alertdialog')).toBeVisible()
      expect(await findings(page)).toEqual([])
    })

    test('a deleted item has no axe violations, whether deleted here or elsewhere under a draft', async ({
      page,
      sample,
    }) => {
      const owner = await signInOwner(sample.url)
      await openMainScreen(page, sample.url)
      const bike = bikes(page).getByRole('button', { name: BIKE })
      const { data } = await owner.from('bikes').select('gear_id').eq('name', BIKE).single()
      const item = { bikeId: data!.gear_id, name: 'Bell', dateStarted: '1990-01-01 01:00:00' }
      await owner.from('maintenance').insert(item)
      await bike.click()
      const row = await openEntry(page)
      const name = row.getByRole('textbox', { name: 'Name' })
      await expect(name).toHaveValue('Bell')
      await row.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
      expect(await findings(page)).toEqual([])

      await owner.from('maintenance').insert(item)
      await page.reload()
      await openEntry(page)
      await expect(name).toHaveValue('Bell')
      await name.fill('Half typed')
      await owner.from('maintenance').delete().eq('name', 'Bell')
      await page.reload()
      await expect(page.getByText(/deleted elsewhere/)).toContainText('Name “Half typed”')
      expect(await findings(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
    })

    test('the calendar and a dialog with long buttons fit on the screen', async ({ page, sample }) => {
      await openMainScreen(page, sample.url)
      await bikes(page).getByRole('button', { name: BIKE }).click()
      const row = await openEntry(page)
      for (const name of ['Start', 'End']) {
        await row.getByRole('textbox', { name }).click()
        await expect(page.locator('.react-datepicker')).toBeInViewport({ ratio: 1 })
        await page.keyboard.press('Escape')
      }
      await row.getByRole('textbox', { name: 'Name' }).fill('Half typed')
      await page.getByRole('button', { name: 'Sign Out' }).click()
      const confirm = page.getByRole('alertdialog')
      const [box, text] = [confirm.getByRole('button', { name: 'Cancel' }), confirm.getByRole('heading')]
      const start = async (element: typeof box) => (await element.boundingBox())!.x
      expect(await start(box)).toBeGreaterThanOrEqual(await start(text))
    })
  })
}

test('moves the focus to what replaces the focused element', async ({ page, sample }) => {
  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).press('Enter')
  }
  const main = page.getByRole('main')
  await page.goto(sample.url)
  await expect(page.getByLabel('Email')).toBeFocused()
  await press('Forgot password?')
  await expect(page.getByRole('button', { name: 'Send reset link' })).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
  await press('Back')
  await expect(page.getByLabel('Email')).toBeFocused()

  await page.goto(sample.url)
  await signIn(page)
  await expect(main).toBeFocused()
  await press('Sign Out')
  await expect(page.getByLabel('Email')).toBeFocused()
  await signIn(page)
  await expect(main).toBeFocused()
  await press('Account')
  await press('Change password')
  await expect(page.getByLabel('New password')).toBeFocused()
  await press('Cancel')
  await expect(main).toBeFocused()

  await press(BIKE)
  const used = page.getByRole('row').nth(1).getByRole('link').first()
  await used.press('Enter')
  await expect(page.getByText(/^Rides on “/)).toBeFocused()
  await page.getByRole('link', { name: 'Back to the log' }).press('Enter')
  await expect(page.getByRole('tab', { name: 'Maintenance Log' })).toBeFocused()

  await used.press('Enter')
  await page.getByRole('link', { name: 'Show all rides' }).press('Enter')
  await expect(page.getByRole('search')).toBeFocused()
  await page.getByLabel('Search names').fill('no such name')
  await press('Show all')
  await expect(page.getByRole('search')).toBeFocused()
})

test('the first Tab focuses a skip link that keeps the address', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  await bikes(page).getByRole('button', { name: BIKE }).click()
  await expect(page.getByRole('table')).toBeVisible()
  const address = page.url()
  await page.reload()
  await expect(page.getByRole('table')).toBeVisible()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport({ ratio: 1 })
  expect(await findings(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  expect(page.url()).toBe(address)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').locator(':focus')).toBeVisible()
})

test('nothing in the header overlaps at 320 px', async ({ page, sample }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await openMainScreen(page, sample.url)
  for (const name of ['Account', 'Sign Out', 'Sample data'])
    await page.getByRole('button', { name, exact: true }).click({ trial: true, timeout: 2000 })
  const [title, account] = await Promise.all([
    page.getByRole('heading', { level: 1 }).boundingBox(),
    page.getByRole('button', { name: 'Account', exact: true }).boundingBox(),
  ])
  expect(title!.x + title!.width).toBeLessThanOrEqual(account!.x)
})
