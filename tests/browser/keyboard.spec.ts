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

for (const [width, height] of [
  [1280, 720],
  [390, 844],
] as const) {
  test(`the keyboard alone does everything, and the focus stays in sight, at ${width} × ${height}`, async ({
    page,
    log,
    sample,
  }) => {
    test.slow()
    const press = async (key: string) => {
      await page.keyboard.press(key)
      await expectFocusInSight(page)
    }
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
    const isPhone = width < 1280
    const entry = (name: string) => page.locator('[data-entry]').filter({ has: button(`Details of ${name}`) })
    const editor = (name: string) => (isPhone ? entryOf(page, name) : entry(name))
    const cost = (name: string) => editor(name).getByRole('textbox', { name: 'Cost' })
    const id = await log.add({ name: 'Chain', type: 'Drivetrain', cost: 45 })
    await log.add({ name: 'Cassette', type: 'Drivetrain', cost: 60 })
    await page.setViewportSize({ width, height })

    // What differs on a phone is the log and the filters.
    if (isPhone) {
      await openLog(page, log.url)
      await press('Tab')
    } else {
      await page.goto(sample.url)
      await expect(page.getByLabel('Email')).toBeFocused()
      await page.keyboard.type('owner@example.com')
      await press('Tab')
      await page.keyboard.type('password')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: 'Garage' })).toBeVisible()

      // Done and its Undo, which both stay in place while they have the focus.
      const due = page.getByRole('region', { name: 'Due' }).getByRole('listitem').first()
      await tabTo(page, due.getByRole('button', { name: 'Done' }))
      await press('Enter')
      await tabTo(page, due.getByRole('button', { name: 'Undo' }))
      await press('Enter')
      await expect(due.getByRole('button', { name: 'Snooze' })).toBeVisible()
      await expectFocusInSight(page)

      await tabTo(page, bikes(page).getByRole('button', { name: BIKE }), 'Shift+Tab')
      await press('Enter')
    }
    await expect(entry('Chain').first()).toBeVisible()

    // Edit a cost.
    const open = async (name: string, key?: 'Shift+Tab') => {
      await tabTo(page, button(`Details of ${name}`), key)
      if ((await button(`Details of ${name}`).getAttribute('aria-expanded')) !== 'true') await press('Enter')
    }
    if (isPhone) await open('Chain')
    await tabTo(page, cost('Chain'))
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('50')
    await press('Enter')
    await expect(cost('Chain')).toHaveValue('$50.00')
    expect(await log.stored(id)).toMatchObject({ cost: 50 })
    await expectFocusInSight(page)

    if (isPhone) await press('Escape')

    // Add an entry.
    await tabTo(page, button('+ADD ROW'), 'Shift+Tab')
    await press('Enter')
    await expect(newName(page)).toBeFocused()
    await page.keyboard.type('Bell')
    await press('Enter')
    await expect(button('Details of Bell')).toBeVisible()
    await expectFocusInSight(page)

    // Delete it.
    if (isPhone) await open('Bell', 'Shift+Tab')
    else await tabTo(page, button('Details of Bell'), 'Shift+Tab')
    await tabTo(page, editor('Bell').getByRole('button', { name: 'Delete' }))
    await press('Enter')
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toHaveAccessibleDescription('Bell')
    await tabTo(page, dialog.getByRole('button', { name: 'Delete' }))
    await page.keyboard.press('Enter')
    await expect(button('Details of Bell')).toHaveCount(0)
    await expectFocusInSight(page)

    // Replace a part.
    await open('Chain', 'Shift+Tab')
    await tabTo(page, button('Replace…'))
    await press('Enter')
    await expect(page.getByLabel('Replace Chain', { exact: true }).getByLabel('Cost')).toBeFocused()
    await press('Enter')
    await expect(page.getByText('“Chain” was replaced.')).toBeVisible()
    // The focus moves once the log has been read again, after the message.
    const replacement = entry('Chain').and(page.locator(`:not([data-item="${id}"])`))
    await expect(replacement.locator(':focus')).toBeVisible()
    await expectFocusInSight(page)

    // Filter the rides.
    await tabTo(page, page.getByRole('tab', { name: 'Maintenance Log' }), 'Shift+Tab')
    await press('ArrowRight')
    if (isPhone) {
      await tabTo(page, button('Filters'))
      await press('Enter')
    }
    await tabTo(page, page.getByLabel('Search names'))
    await page.keyboard.type('gravel')
    await expectFocusInSight(page)
    await expect(page.getByText(/ of \d+ rides/)).toBeVisible()

    if (isPhone) return

    // Restore from the trash.
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('combobox', { name: 'Search bikes, log entries and actions' })).toBeFocused()
    await page.keyboard.type('trash')
    await expect(page.getByRole('option').first()).toHaveText(/Trash/)
    await page.keyboard.press('Enter')
    const trash = page.getByRole('dialog', { name: 'Trash' })
    await tabTo(
      page,
      trash.getByRole('listitem').filter({ hasText: 'Bell' }).getByRole('button', { name: 'Restore' }),
    )
    await page.keyboard.press('Enter')
    await expect(trash.getByRole('status')).toHaveText('The change was undone.')
    await expectFocusInSight(page)
    await page.keyboard.press('Escape')
    await expect(trash).toHaveCount(0)
    await expectFocusInSight(page)
  })
}
