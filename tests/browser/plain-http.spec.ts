import { expect, openMainScreen, openSettings, test } from './fixtures.ts'

test.use({ ownContext: true })

// Browsers have no service workers on plain HTTP, except on this machine.
test.beforeEach(({ page }) =>
  page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')),
)

test(
  'loads the remaining code when idle, says in place what could not be loaded, and offers a new version',
  { tag: '@machine' },
  async ({ page, sample }) => {
    const isLoaded = page.waitForResponse(/assets\/Settings-.*\.js$/)
    await page.route('**/assets/Spending-*.js', (route) => route.abort())
    await openMainScreen(page, `${sample.url}/#garage`)
    const spending = page.getByRole('tab', { name: 'Spending' })
    await spending.click()
    const panel = page.getByRole('tabpanel', { name: 'Spending' })
    await expect(panel).toContainText('This could not be loaded. Check your connection and try again.')
    await page.unroute('**/assets/Spending-*.js')
    await panel.getByRole('button', { name: 'Try again' }).click()
    await expect(panel.getByRole('img').or(panel.getByRole('table')).first()).toBeVisible()
    await isLoaded

    await page.context().setOffline(true)
    await openSettings(page)
    await expect(page.getByText('This browser can’t open the tracker offline.')).toBeVisible()
    await page.context().setOffline(false)

    const body = (await (await page.request.get(sample.url)).text()).replaceAll(
      /index-[^"]+\.js/g,
      'index-next.js',
    )
    await page.route(`${sample.url}/`, (route) => route.fulfill({ body, contentType: 'text/html' }))
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(page.getByText('A new version of the tracker is available.')).toBeVisible()
    await page.unroute(`${sample.url}/`)
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(page.getByText('A new version of the tracker is available.')).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  },
)
