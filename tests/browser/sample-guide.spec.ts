import { expectAccessible, PHONE } from './axe.ts'
import { bikes, expect, openMainScreen, test } from './fixtures.ts'

test('explains the sample and how to connect, until it is dismissed or a bike is open', async ({
  page,
  sample,
}) => {
  const guide = page.getByRole('region', { name: 'This is sample data' })
  const badge = page.getByRole('button', { name: 'Sample data' })
  await openMainScreen(page, sample.url)
  await expect(guide).toContainText('made-up rider')
  await expect(guide.getByText(/^The tracker keeps a maintenance log/)).toBeVisible()

  await guide.getByText('How to use your own rides').click()
  await expect(guide.getByText('npm run connect')).toBeVisible()
  await expect(guide.getByText('npm run doctor')).toBeVisible()
  await expectAccessible(page, [PHONE])

  await bikes(page).getByRole('button', { name: 'Blue Domane' }).click()
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 812 })
    await expect(guide).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Details of / }).first()).toBeInViewport({ ratio: 1 })
  }
  await badge.press('Enter')
  await expect(guide).toBeVisible()

  await guide.getByRole('button', { name: 'Dismiss' }).press('Enter')
  await expect(guide).toHaveCount(0)
  await expect(badge).toBeFocused()
  await expect(badge).toHaveAttribute('aria-expanded', 'false')
  await page.goto('about:blank')
  await page.goto(sample.url)
  await expect(badge).toBeVisible()
  await expect(bikes(page).getByRole('button')).toHaveCount(3)
  await expect(guide).toHaveCount(0)
  await badge.press('Enter')
  await expect(guide).toBeVisible()
})
