// `npm run screenshots`: takes the README's pictures anew, of the sample.
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { signIn } from '../tests/browser/sign-in.ts'
import { start, temporaryFolder } from '../tests/running.ts'
import { findBrowser } from './browser.ts'

const picture = (name: string) => fileURLToPath(new URL(`../docs/screenshots/${name}.png`, import.meta.url))

const { folder, remove } = await temporaryFolder()
const stack = await start({ TRACKER_DATA_DIR: folder })
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 860 }, locale: 'en-US' })
  await page.goto(stack.url)
  await signIn(page)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('group', { name: 'Bikes' }).getByRole('button').first().click()
  await page
    .getByText(/^[\d,]+\.\d\u00a0mi$/)
    .first()
    .waitFor()
  await page.screenshot({ path: picture('log') })
  await page.getByRole('tab', { name: 'Rides' }).click()
  await page.getByRole('row').nth(3).waitFor()
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: picture('rides') })
} finally {
  await browser.close()
  await stack.stop()
  await remove()
}
