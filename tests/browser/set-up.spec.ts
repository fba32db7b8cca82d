import type { Locator, Page } from '@playwright/test'
import { trips } from '../sync/trips.ts'
import { OWNER, startAccount } from './account.ts'
import { axeViolations, expectAccessible } from './axe.ts'
import { bikes, expect, openMainScreen, signInOwner, test } from './fixtures.ts'

const BIKES = [
  { id: 1, nickname: 'Road' },
  { id: 2, nickname: 'Gravel' },
  { id: 7, nickname: 'New bike' },
]

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const line = (page: Page, name: string) => page.getByRole('dialog').getByRole('group', { name, exact: true })
const field = (page: Page, part: string, label: string) => line(page, part).getByLabel(label, { exact: true })
const box = (page: Page, part: string, label: string) =>
  line(page, part).getByRole('checkbox', { name: new RegExp(`^${label}( every|$)`) })
const due = (page: Page) => page.getByRole('list', { name: 'Due on this bike' }).getByRole('listitem')
const entries = (page: Page) => page.getByRole('button', { name: /^Details of / })

/** Expects every touch target in the dialog, including checkbox labels, to be at least 44 pixels high. */
async function expectLargeTargets(page: Page) {
  const heights = await page
    .getByRole('dialog')
    .locator('button, label:has([type=checkbox]), input[type=text]')
    .evaluateAll((targets) => targets.map((target) => target.getBoundingClientRect().height))
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
}

test('shows the first sync, sets up a bike within ten presses, and undoes it', async ({ page }) => {
  await using account = await startAccount()
  const { rwgps, stack } = account
  const { promise: secondPage, resolve: sendSecondPage } = Promise.withResolvers<void>()
  Object.assign(rwgps.behavior, {
    gear: BIKES,
    trips: trips(90),
    cap: 45,
    hold: ({ call, number }: { call: string; number: number }) =>
      call === 'trips' && number === 2 ? secondPage : undefined,
  })
  await openMainScreen(page, stack.url, OWNER)
  await button(page, 'Update Rides from RWGPS').click()
  const progress = page.getByRole('status').filter({ hasText: 'Updating: 45 of 90 rides' })
  await expect(progress).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Garage' })).toBeVisible()
  await expect(progress).toBeVisible()
  sendSecondPage()
  await expect(progress).toHaveCount(0)

  await expectAccessible(page, [390])
  const cards = page.getByRole('region', { name: 'Bikes' }).getByRole('listitem')
  await expect(cards.filter({ hasText: 'New bike' })).toContainText('No rides yet')
  await expect(page.getByRole('button', { name: /^Set up this bike: / })).toHaveCount(3)
  // New owners set up their bikes first, so Bikes comes before To check.
  await expect(page.getByRole('heading', { name: /^(Bikes|To check)$/ })).toHaveText(['Bikes', 'To check'])
  await bikes(page).getByRole('button', { name: 'New bike' }).click()
  await expect(page.getByText('Total Miles 0.0 mi No rides yet')).toBeVisible()
  await bikes(page).getByRole('button', { name: 'Road' }).click()
  await expectAccessible(page, [390])

  let presses = 0
  const press = async (target: Locator) => {
    presses += 1
    await target.click()
  }
  await press(button(page, 'Set up this bike'))
  await expect(page.getByRole('dialog')).toContainText('Road, first ride 02/17/2026')
  await expect(field(page, 'Chain', 'Start')).toHaveValue('02/17/2026')
  await expect(line(page, 'Saddle').getByRole('textbox')).toHaveCount(0)
  expect(await axeViolations(page)).toEqual([])
  await press(button(page, 'Save'))
  expect(presses).toBeLessThanOrEqual(10)
  await expect(entries(page)).toHaveText([
    'Chain',
    'Cassette',
    'Front tire',
    'Rear tire',
    'Front brake pads',
    'Rear brake pads',
  ])
  const owner = await signInOwner(stack.url, OWNER)
  const { data: places } = await owner.from('maintenance').select('position, parts(kind)').order('id')
  expect(places!.map(({ position, parts: { kind } }) => [kind, position])).toEqual([
    ['chain', null],
    ['cassette', null],
    ['tire', 'front'],
    ['tire', 'rear'],
    ['brake pads', 'front'],
    ['brake pads', 'rear'],
  ])
  // New tasks count from today.
  await expect(page.getByText(/lube chain in [\d,]+ mi/)).toBeVisible()
  await expect(due(page)).toHaveCount(0)

  const undo = page.getByRole('alert').filter({ hasText: '6 parts were added to “Road”.' })
  await button(undo, 'Undo').click()
  await expect(entries(page)).toHaveCount(0)
  await expect(due(page)).toHaveCount(0)
  expect((await owner.from('service_tasks').select('id')).data).toEqual([])

  await page.setViewportSize({ width: 390, height: 844 })
  await button(page, 'Bike: More').click()
  await button(page.locator('[popover]:popover-open'), 'Set up this bike').click()
  for (const part of ['Cassette', 'Front tire', 'Rear tire', 'Front brake pads', 'Rear brake pads'])
    await box(page, part, part).uncheck()
  await box(page, 'Saddle', 'Saddle').check()
  await box(page, 'Chain', 'Lube chain').uncheck()
  await box(page, 'Chain', 'Wax chain').check()
  await field(page, 'Chain', 'Name').fill('KMC X11')
  await field(page, 'Chain', 'Cost').fill('lots')
  await field(page, 'Chain', 'Earlier miles').fill('1,200')
  await field(page, 'Chain', 'Name').press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Discard unsaved changes?' })
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expectLargeTargets(page)
  await button(page, 'Save').click()
  await expect(field(page, 'Chain', 'Cost')).toBeFocused()
  await expect(line(page, 'Chain')).toContainText('Enter an amount such as 45 or 1,234.')
  await field(page, 'Chain', 'Cost').fill('45')
  await page.route('**/rpc/run_command', (route) => route.abort())
  await button(page, 'Save').click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText(
    '“Road” may or may not have been set up',
  )
  await page.unroute('**/rpc/run_command')
  await button(page, 'Save').click()
  await expect(entries(page)).toHaveText(['KMC X11', 'Saddle'])
  await expect(page.getByText('1,573.8 mi totalincl. 1,200 mi before this log')).toBeVisible()
  const { data: tasks } = await owner.from('service_tasks').select('name').order('name')
  expect(tasks!.map(({ name }) => name)).toEqual([
    'Check bolts',
    'Check chain wear',
    'Replace chain',
    'Wax chain',
  ])

  await button(page, 'Bike: More').click()
  await button(page.locator('[popover]:popover-open'), 'Set up this bike').click()
  await expect(box(page, 'Chain', 'Chain')).not.toBeChecked()
  await expect(box(page, 'Front tire', 'Front tire')).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
