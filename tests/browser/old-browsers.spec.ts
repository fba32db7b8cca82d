import type { Locator, Page } from '@playwright/test'
import manifest from '../../package.json' with { type: 'json' }
import { ROAD } from '../../sample/gear.ts'
import { expect, openAccount, openMainScreen, test } from './fixtures.ts'

test.use({ ownContext: true })

/** Turns off what the oldest supported browsers lack, because the tests' browsers are newer. */
const asOldestSupported = (page: Page) =>
  page.addInitScript(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '* { position-area: none !important; position-anchor: none !important; field-sizing: fixed !important }',
    )
    document.adoptedStyleSheets.push(sheet)
    new MutationObserver(() => document.querySelector('[closedby]')?.removeAttribute('closedby')).observe(
      document,
      { childList: true, subtree: true },
    )
  })

async function expectNextTo(page: Page, button: Locator) {
  const panel = page.locator('[popover]:popover-open')
  await expect(panel).toBeInViewport({ ratio: 1 })
  const [menu, opener] = [(await panel.boundingBox())!, (await button.boundingBox())!]
  const gaps = [menu.y - (opener.y + opener.height), opener.y - (menu.y + menu.height)]
  expect(Math.max(...gaps)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...gaps)).toBeLessThan(9)
  expect(menu.x).toBeLessThan(opener.x + opener.width)
  expect(menu.x + menu.width).toBeGreaterThan(opener.x)
}

test(
  'opens menus next to their buttons, closes dialogs and fits long texts without newer features',
  { tag: '@machine' },
  async ({ page, sample }) => {
    await asOldestSupported(page)
    await openMainScreen(page, `${sample.url}/#bike=${ROAD}`)
    await openAccount(page)
    await expectNextTo(page, page.getByRole('button', { name: 'Account', exact: true }))
    await page.keyboard.press('Escape')

    const name = 'Fizik Antares R3'
    await page.getByRole('button', { name: `Details of ${name}` }).click()
    const details = page.getByRole('region', { name: `Details of ${name}` })
    await expect(details.getByRole('heading', { name: 'History' })).toBeVisible()
    const more = details.getByRole('button', { name: 'More' })
    await more.click()
    await expectNextTo(page, more)
    // At the bottom of the window, it opens above.
    await more.evaluate((button) => button.scrollIntoView({ block: 'end', behavior: 'instant' }))
    await expectNextTo(page, more)
    await page.mouse.click(5, 300)
    await expect(page.locator('[popover]:popover-open')).toHaveCount(0)

    const description = page.getByRole('textbox', { name: 'Description' }).first()
    const width = async () => (await description.boundingBox())!.width
    const before = await width()
    await description.fill('A description that is much longer than the field in its column, and then some')
    expect(await width()).toBeGreaterThan(before + 50)
    await description.press('Escape')

    await page.keyboard.press('Control+k')
    await expect(page.getByRole('option').first()).toBeVisible()
    await page.mouse.click(5, 300)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  },
)

test(
  'shows which browsers it needs instead of a blank page',
  { tag: '@machine' },
  async ({ page, sample }) => {
    await page.addInitScript(() => Reflect.deleteProperty(Map, 'groupBy'))
    // The missing function is reported as an error, too.
    page.removeAllListeners('pageerror')
    await page.goto(sample.url)
    const message = page.getByText(/needs a newer browser/)
    await expect(message).toBeVisible()
    for (const browser of manifest.browserslist)
      await expect(message).toContainText(` ${browser.split(' >= ')[1]}`)
  },
)
