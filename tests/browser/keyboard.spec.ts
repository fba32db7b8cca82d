import type { Locator, Page } from '@playwright/test'
import { BIKE, entryOf, expect, newName, openLog, test } from './log-page.ts'
import { bikes } from './fixtures.ts'

const MAX_STOPS = 250

/** Fails unless the focus is on something that nothing covers. */
async function expectFocusInSight(page: Page) {
  await expect
    .poll(() =>
      page.evaluate(() => {
        const focused = document.activeElement
        if (!focused || focused === document.body) return 'nothing has the focus'
        const { left, top, width, height } = focused.getBoundingClientRect()
        const hit = document.elementFromPoint(left + width / 2, top + height / 2)
        // A label may contain its hidden input.
        const isInSight = hit !== null && (focused.contains(hit) || hit.closest('label')?.contains(focused))
        return isInSight ? 'in sight' : `covered: ${focused.outerHTML.slice(0, 200)}`
      }),
    )
    .toBe('in sight')
}

/** Presses Tab until a control has the focus. */
async function tabTo(page: Page, control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await expect(control.first()).toBeAttached()
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    await expectFocusInSight(page)
    if (await control.first().evaluate((one) => one === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${MAX_STOPS} stops don't lead to ${String(control)}`)
}

async function press(page: Page, key: string) {
  await page.keyboard.press(key)
  await expectFocusInSight(page)
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Types a new cost over the old one. */
async function changeCost(page: Page, cost: Locator) {
  await tabTo(page, cost)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('50')
  await press(page, 'Enter')
  await expect(cost).toHaveValue('$50.00')
}

async function findRides(page: Page) {
  await tabTo(page, page.getByLabel('Search names'))
  await page.keyboard.type('gravel')
  await expectFocusInSight(page)
  await expect(page.getByText(/ of \d+ rides/)).toBeVisible()
}

test('the keyboard alone does everything, and the focus stays in sight, at 1280 × 720', async ({
  page,
  log,
  sample,
}) => {
  test.slow()
  const entry = (name: string) =>
    page.locator('[data-entry]').filter({ has: button(page, `Details of ${name}`) })
  const id = await log.add({ name: 'Chain', type: 'Drivetrain', cost: 45 })
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto(sample.url)
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.type('owner@example.com')
  await press(page, 'Tab')
  await page.keyboard.type('password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Garage' })).toBeVisible()

  // Done and its Undo, which both stay in place while they have the focus.
  const due = page.getByRole('region', { name: 'Due' }).getByRole('listitem').first()
  for (const name of ['Done', 'Undo']) {
    await tabTo(page, due.getByRole('button', { name }))
    await press(page, 'Enter')
  }
  await expect(due.getByRole('button', { name: 'Snooze' })).toBeVisible()
  await expectFocusInSight(page)

  await tabTo(page, bikes(page).getByRole('button', { name: BIKE }), 'Shift+Tab')
  await press(page, 'Enter')
  await expect(entry('Chain')).toBeVisible()
  await changeCost(page, entry('Chain').getByRole('textbox', { name: 'Cost' }))
  await expectFocusInSight(page)

  // Add an entry.
  await tabTo(page, button(page, '+ADD ROW'), 'Shift+Tab')
  await press(page, 'Enter')
  await expect(newName(page)).toBeFocused()
  await page.keyboard.type('Bell')
  await press(page, 'Enter')
  await expect(button(page, 'Details of Bell')).toBeVisible()
  await expectFocusInSight(page)

  // Delete it.
  await tabTo(page, button(page, 'Details of Bell'), 'Shift+Tab')
  await tabTo(page, entry('Bell').getByRole('button', { name: 'Delete' }))
  await press(page, 'Enter')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toHaveAccessibleDescription('Bell')
  await tabTo(page, dialog.getByRole('button', { name: 'Delete' }))
  await page.keyboard.press('Enter')
  await expect(button(page, 'Details of Bell')).toHaveCount(0)
  await expectFocusInSight(page)

  // Replace a part.
  await tabTo(page, button(page, 'Details of Chain'), 'Shift+Tab')
  await press(page, 'Enter')
  await tabTo(page, button(page, 'Replace…'))
  await press(page, 'Enter')
  await expect(page.getByLabel('Replace Chain', { exact: true }).getByLabel('Cost')).toBeFocused()
  await press(page, 'Enter')
  await expect(page.getByText('“Chain” was replaced.')).toBeVisible()
  // The focus moves once the log has been read again, after the message.
  const replacement = entry('Chain').and(page.locator(`:not([data-item="${id}"])`))
  await expect(replacement.locator(':focus')).toBeVisible()
  await expectFocusInSight(page)

  await tabTo(page, page.getByRole('tab', { name: 'Maintenance Log' }), 'Shift+Tab')
  await press(page, 'ArrowRight')
  await findRides(page)

  // Restore from the trash.
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox', { name: 'Search bikes, log entries and actions' })).toBeFocused()
  await page.keyboard.type('trash')
  await expect(page.getByRole('option').first()).toHaveText(/Trash/)
  await page.keyboard.press('Enter')
  const trash = page.getByRole('dialog', { name: 'Trash' })
  const bell = trash.getByRole('listitem').filter({ hasText: 'Bell' })
  await tabTo(page, bell.getByRole('button', { name: 'Restore' }))
  await page.keyboard.press('Enter')
  await expect(trash.getByRole('status')).toHaveText('The change was undone.')
  await expectFocusInSight(page)
  await page.keyboard.press('Escape')
  await expect(trash).toHaveCount(0)
  await expectFocusInSight(page)
})

test('the keyboard opens, edits and closes an entry and the filters at 390 × 844', async ({ page, log }) => {
  await log.add({ name: 'Chain', type: 'Drivetrain', cost: 45 })
  await page.setViewportSize({ width: 390, height: 844 })
  await openLog(page, log.url)
  await press(page, 'Tab')
  await tabTo(page, button(page, 'Details of Chain'))
  await press(page, 'Enter')
  await changeCost(page, entryOf(page, 'Chain').getByRole('textbox', { name: 'Cost' }))
  await press(page, 'Escape')
  await expect(button(page, 'Details of Chain')).toBeFocused()
  await tabTo(page, page.getByRole('tab', { name: 'Maintenance Log' }), 'Shift+Tab')
  await press(page, 'ArrowRight')
  await tabTo(page, button(page, 'Filters'))
  await press(page, 'Enter')
  await findRides(page)
})
