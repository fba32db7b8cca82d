import { readFile } from 'node:fs/promises'
import { expectAccessible, PHONE } from './axe.ts'
import { bikes, expect, openMainScreen, test } from './fixtures.ts'

const LINES = "RWGPS_API_KEY=your-api-key\nRWGPS_EMAIL=you@example.com\nRWGPS_PASSWORD='your-password'"

test('explains the sample and how to connect, until it is dismissed or a bike is open', async ({
  page,
  context,
  sample,
}) => {
  const guide = page.getByRole('region', { name: 'This is sample data' })
  const badge = page.getByRole('button', { name: 'Sample data' })
  await openMainScreen(page, sample.url)
  await expect(guide).toContainText('made-up rider')
  await expect(guide).toContainText('supabase/functions/.env')
  // The README has the same lines.
  expect((await readFile('README.md', 'utf8')).replaceAll(/^ +/gm, '')).toContain(LINES)
  await expect(guide.getByText(/^The tracker keeps a maintenance log/)).toBeVisible()

  await guide.getByText('How to use your own rides').click()
  await expect(guide.getByText('npm run doctor')).toBeVisible()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copy = guide.getByRole('button', { name: /^(Copy|Copied) the lines$/ })
  await copy.press('Enter')
  await expect(copy).toHaveText('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(LINES)
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('Not allowed'))
  })
  await copy.click()
  await expect(page.getByRole('alert')).toContainText('Select them and copy them by hand')
  await expectAccessible(page, [PHONE])

  // It leaves the log to its bike.
  await bikes(page).getByRole('button', { name: 'Blue Domane' }).click()
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 812 })
    await expect(guide).toHaveCount(0)
    // The first of them, whichever entry that is.
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
