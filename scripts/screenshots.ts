// `npm run screenshots`: retakes the README's screenshot with sample data.
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { signIn } from '../tests/browser/sign-in.ts'
import { start, temporaryFolder } from '../tests/running.ts'
import { findBrowser } from './browser.ts'

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
  await page.screenshot({ path: fileURLToPath(new URL('../docs/screenshots/log.png', import.meta.url)) })
} finally {
  await browser.close()
  await stack.stop()
  await remove()
}
