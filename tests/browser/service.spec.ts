import type { Page } from '@playwright/test'
import { ROAD } from '../../sample/gear.ts'
import { axeViolations } from './axe.ts'
import { bikes, expect, openMainScreen, signInOwner, test } from './fixtures.ts'

const BIKE = 'Blue Domane'
const CHAIN = 'KMC X11SL chain'

const due = (page: Page) => page.getByRole('region', { name: 'Due', exact: true })
const bike = (page: Page) => bikes(page).getByRole('button', { name: BIKE, exact: true })
const details = (page: Page) => page.getByRole('region', { name: `Details of ${CHAIN}` })
const task = (page: Page, name: string) =>
  details(page)
    .getByRole('group', { name: 'Service' })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) })
const upcoming = (page: Page) => page.getByRole('region', { name: 'Upcoming' })
const yesterday = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
async function lastEvent(url: string) {
  const events = (await signInOwner(url)).from('service_events').select('note, done_at')
  return (await events.order('id', { ascending: false }).limit(1).single()).data
}
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

// The sample ends today in UTC, and these tests count days from its end.
test.use({ timezoneId: 'UTC', ownContext: true })

test.beforeEach(async ({ sample }) => {
  const owner = await signInOwner(sample.url)
  await owner.rpc('run_command', { command: 'set_time_zone', arguments: { name: 'UTC' } })
})

test('shows due tasks of all bikes, marks one done, and undoes it', async ({ page, sample }) => {
  await openMainScreen(page, sample.url)
  const sealant = due(page).getByRole('listitem').filter({ hasText: 'Sealant' })
  await expect(sealant).toContainText('overdue by 7 days')
  await expect(due(page).getByRole('listitem')).toContainText([/Sealant/, /./, /./])
  await expect(bike(page)).toHaveAccessibleDescription('2 due')
  await expect(page).toHaveTitle(/^\(3\) Garage/)

  const doneButton = sealant.getByRole('button', { name: 'Done' })
  const place = (await doneButton.boundingBox())!
  const press = () => page.mouse.click(place.x + place.width / 2, place.y + place.height / 2)
  await press()
  await expect(bike(page)).toHaveAccessibleDescription('1 due')
  // A second press must hit neither the next task nor Undo.
  await press()
  await expect(doneButton).toBeDisabled()
  await expect(sealant.getByRole('button', { name: 'Undo' })).toBeVisible()
  await expect(bike(page)).toHaveAccessibleDescription('1 due')
  const tire = 'Continental GP 5000 S TR 30, rear'
  await toast(page, `Sealant done: ${tire}, ${BIKE}`).getByRole('button', { name: 'Undo' }).click()
  await expect(sealant).toContainText('overdue by 7 days')

  await doneButton.click()
  await sealant.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Sealant was done' })
  await expect(form.getByLabel('Note')).toBeFocused()
  await page.keyboard.type('Orange Seal\n60 ml')
  await form.getByRole('button', { name: 'Yesterday' }).click()
  await expect(form.getByRole('button', { name: 'Yesterday' })).toHaveAttribute('aria-pressed', 'true')
  expect(await axeViolations(page)).toEqual([])
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(form).toBeHidden()
  expect(await lastEvent(sample.url)).toEqual({
    note: 'Orange Seal\n60 ml',
    done_at: `${yesterday()}T01:00:00`,
  })
  await toast(page, '“Sealant” was saved.').getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, '“Sealant” was saved.')).toHaveCount(0)
  await toast(page, 'Sealant done').getByRole('button', { name: 'Undo' }).click()
  await expect(sealant).toContainText('overdue by 7 days')

  await doneButton.click()
  await sealant.getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, 'Sealant done')).toHaveCount(0)
  await expect(sealant).toContainText('overdue by 7 days')

  await sealant.getByRole('button', { name: 'Snooze' }).click()
  const days = page.getByRole('dialog').getByRole('group', { name: 'Snooze for' })
  for (const name of ['3 days', '1 week', '1 month']) await expect(days.getByText(name)).toBeVisible()
  await days.getByRole('radio', { name: 'Miles' }).check()
  await expect(page.getByLabel('Miles to snooze')).toBeVisible()
  await days.getByRole('radio', { name: '3 days' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Snooze' }).click()
  await expect(bike(page)).toHaveAccessibleDescription('1 due')
  const snoozed = upcoming(page).getByRole('listitem').filter({ hasText: 'Sealant' })
  await expect(snoozed).toContainText('snoozed')
  await snoozed.getByRole('button', { name: 'Choices' }).click()
  await page.getByRole('button', { name: 'End snooze' }).click()
  await expect(sealant).toContainText('overdue by 7 days')

  // The day comes first, and nothing is marked done before it is chosen.
  await doneButton.hover()
  await page.mouse.down()
  const choices = page.getByRole('group', { name: 'Mark Sealant done' })
  await expect(choices).toBeVisible()
  await page.mouse.up()
  await expect(sealant).toContainText('overdue by 7 days')
  expect(await axeViolations(page)).toEqual([])
  await choices.getByRole('button', { name: 'Yesterday' }).click()
  await expect(bike(page)).toHaveAccessibleDescription('1 due')
  expect(await lastEvent(sample.url)).toMatchObject({ done_at: `${yesterday()}T01:00:00` })
  await toast(page, 'Sealant done').getByRole('button', { name: 'Undo' }).click()
  await expect(sealant).toContainText('overdue by 7 days')
  await sealant.getByRole('button', { name: 'Choices' }).click()
  await choices.getByRole('button', { name: 'Note…' }).click()
  const noted = page.getByRole('dialog', { name: 'Sealant done' })
  await expect(noted.getByLabel('Note')).toBeFocused()
  await page.keyboard.type('Stan’s')
  expect(await axeViolations(page)).toEqual([])
  await noted.getByRole('button', { name: 'Done', exact: true }).click()
  await expect(noted).toBeHidden()
  expect(await lastEvent(sample.url)).toMatchObject({ note: 'Stan’s' })
})

test('adds a task to a part, and corrects when it was done', async ({ page, sample }) => {
  await openMainScreen(page, `${sample.url}/#bike=${ROAD}`)
  await expect(page.getByRole('list', { name: 'Due on this bike' })).toContainText(
    'sealant overdue by 7 days',
  )
  expect(await axeViolations(page)).toEqual([])
  const bolts = page
    .getByRole('list', { name: 'Due on this bike' })
    .getByRole('listitem')
    .filter({ hasText: /bolts/ })
  await bolts.getByRole('button', { name: 'Check bolts' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await bolts.getByRole('button', { name: 'Done' }).click()
  await expect(bolts).toContainText('done')
  await toast(page, 'Check bolts done').getByRole('button', { name: 'Undo' }).click()
  await expect(bolts).toContainText('due today')
  await page.getByRole('button', { name: `Details of ${CHAIN}` }).click()
  await details(page).getByRole('button', { name: 'Add service task' }).click()

  const form = page.getByRole('dialog')
  await form.getByLabel('Task').fill('Ultrasonic bath')
  await form.getByRole('button', { name: 'Save task' }).click()
  await expect(form).toContainText('Enter at least one limit')
  expect(await axeViolations(page)).toEqual([])
  await form.getByLabel('Every miles').fill('1500')
  await expect(form).toContainText(/Next in 1,500 mi, about \d+/)
  const countFrom = form.getByRole('group', { name: 'Count from' })
  await countFrom.getByRole('radio', { name: 'When installed' }).check()
  await expect(form).toContainText(/Overdue by|Next in [\d.]+ mi|Due/)
  await countFrom.getByRole('radio', { name: 'Today' }).check()
  expect(await axeViolations(page)).toEqual([])
  await form.getByRole('button', { name: 'Save task' }).click()
  await expect(form).toBeHidden()
  await expect(task(page, 'Ultrasonic bath')).toContainText('in 1,500 mi')

  await task(page, 'Ultrasonic bath').getByRole('button', { name: 'Done' }).click()
  await expect(task(page, 'Ultrasonic bath')).toContainText('in 1,500 mi')
  await toast(page, 'Ultrasonic bath done').getByRole('button', { name: 'Edit' }).click()
  await form.getByLabel('Cost').fill('12.50')
  await form.getByLabel('Note').fill('Molten Speed Wax after')
  await form.getByRole('checkbox', { name: 'Wipe chain' }).check()
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(form).toBeHidden()
  await expect(task(page, 'Wipe chain')).toContainText('in 100 mi')
  await expect(page.getByRole('button', { name: 'Details of Ultrasonic bath' })).toBeVisible()
  await page.getByRole('button', { name: 'Edit Ultrasonic bath', exact: true }).click()
  // Only the newest toast is above a dialog.
  await expect(form.locator('.Toastify__toast').filter({ visible: true })).toHaveCount(1)
  await form.getByRole('checkbox', { name: 'Outdoor rides only' }).check()
  expect(await axeViolations(page)).toEqual([])
  await form.getByRole('button', { name: 'Save task' }).click()
  await expect(task(page, 'Ultrasonic bath')).toContainText('in 1,500 outdoor mi')

  await page.getByRole('button', { name: 'Edit Ultrasonic bath', exact: true }).click()
  // Only the newest toast is above a dialog.
  await expect(form.locator('.Toastify__toast').filter({ visible: true })).toHaveCount(1)
  await form.getByRole('checkbox', { name: 'Outdoor rides only' }).check()
  expect(await axeViolations(page)).toEqual([])
  await form.getByRole('button', { name: 'Save task' }).click()
  await expect(task(page, 'Ultrasonic bath')).toContainText('in 1,500 outdoor mi')

  await details(page)
    .getByText(/^Service history/)
    .click()
  await details(page)
    .getByRole('button', { name: /^Edit Ultrasonic bath of/ })
    .click()
  await form.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('button', { name: 'Details of Ultrasonic bath' })).toHaveCount(0)

  await task(page, 'Replace chain').getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('dialog', { name: `Replace ${CHAIN}` })).toBeVisible()
})

test('shows only the newest toast', async ({ page, sample }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openMainScreen(page, sample.url)
  const row = (name: string) =>
    due(page)
      .getByRole('listitem')
      .filter({ has: page.getByText(name, { exact: true }) })
  for (const name of ['Hub service', 'Check bolts']) {
    await row(name).getByRole('button', { name: 'Done' }).click()
    await expect(toast(page, `${name} done`)).toBeVisible()
  }
  await expect(page.getByRole('alert')).toHaveCount(1)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.getByRole('alert')).toHaveCount(1)
})
