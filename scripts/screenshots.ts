// `npm run screenshots`: retakes the screenshots in docs/screenshots with sample data.
import { fileURLToPath } from 'node:url'
import { signIn } from '../tests/browser/sign-in.ts'
import { start, temporaryFolder } from '../tests/running.ts'
import { launchBrowser } from './browser.ts'

const { folder, remove } = await temporaryFolder()
const stack = await start({ TRACKER_DATA_DIR: folder })
const browser = await launchBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 860 }, locale: 'en-US' })
  const take = async (name: string) => {
    // Wait for usage, which loads last.
    const miles = page.getByRole('main').getByText(/[\d,]+\.\d\u00a0mi/)
    await miles.filter({ visible: true }).first().waitFor()
    await page.screenshot({
      path: fileURLToPath(new URL(`../docs/screenshots/${name}.png`, import.meta.url)),
    })
  }
  await page.goto(stack.url)
  await signIn(page)
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await page.getByRole('heading', { name: 'Garage' }).waitFor()
  await take('garage')
  await page.getByRole('group', { name: 'Bikes' }).getByRole('button').first().click()
  await page.getByRole('table').waitFor()
  await take('log')
  await page.getByRole('radio', { name: 'Timeline' }).check()
  await page.getByRole('link', { name: /Chain/ }).first().waitFor()
  await page.getByRole('img', { name: /per month, at most/ }).waitFor()
  await take('timeline')
  await page.getByRole('radio', { name: 'Table' }).check()
  await page.setViewportSize({ width: 390, height: 844 })
  await take('phone-log')
} finally {
  await browser.close()
  await stack.stop()
  await remove()
}
