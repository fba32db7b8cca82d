import type { Locator, Page } from '@playwright/test'
import { COMMUTER, GRAVEL } from '../../sample/gear.ts'
import type { OwnerClient } from '../owner.ts'
import { axeViolations } from './axe.ts'
import { bikes, signInOwner } from './fixtures.ts'
import { banner, expect, test, visitAll } from './offline-page.ts'

const [BIKE, OTHER] = ['Surly Cross-Check', 'Warbird']
const [WHEELS, TIRES, SPARE] = ['Test wheels', 'Test tires', 'Spare wheels']

test.use({ serviceWorkers: 'allow', ownContext: true })

let owner: OwnerClient

test.beforeEach(async ({ page, tracker, sample }) => {
  owner = await signInOwner(sample.url)
  const dateStarted = '2026-03-01 01:00:00'
  await owner.from('maintenance').insert([
    { bikeId: COMMUTER, name: WHEELS, type: 'Wheels', cost: 400, dateStarted },
    { bikeId: COMMUTER, name: TIRES, type: 'Tires', cost: 90, dateStarted },
    { bikeId: GRAVEL, name: SPARE, type: 'Wheels', cost: 100, dateStarted },
  ])
  await visitAll(page, tracker.url, BIKE)
  await tracker.down()
  await page.reload()
  await expect(banner(page)).toBeVisible()
})

const stored = async (name: string) =>
  (
    await owner
      .from('maintenance')
      .select('cost, dateStarted, dateEnded, ended_as, bikes(name)')
      .eq('name', name)
      .order('dateStarted')
      .order('id')
  ).data!

const line = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
const waitingLines = (page: Page, count: number) =>
  line(page, count === 1 ? '1 change waits' : `${count} changes wait`)
const region = (page: Page, name: string) => page.getByRole('region', { name: `Details of ${name}` })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.locator(`[value="${name}"]`) })
const details = (page: Page, name: string) =>
  page.getByRole('button', { name: `Details of ${name}`, expanded: false }).first()
const openBike = (page: Page, name: string) => bikes(page).getByRole('button', { name }).click()

/** The sample's own parts stay where they are. */
async function onlyAlong(form: Locator, name?: string) {
  const ticked = form.getByRole('checkbox', { checked: true })
  while ((await ticked.count()) > 0) await ticked.first().uncheck()
  if (name !== undefined) await form.getByLabel(name).check()
}

async function showsWaiting(page: Page, titles: (string | RegExp)[]) {
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(dialog(page, 'Changes that wait').getByRole('listitem')).toHaveText(titles)
  expect(await axeViolations(page)).toEqual([])
  await dialog(page, 'Changes that wait').getByRole('button', { name: 'Close', exact: true }).click()
}

test('moves, stores and installs parts offline, on bikes that show it before and after a reload', async ({
  page,
  tracker,
}) => {
  await details(page, WHEELS).press('Enter')
  await region(page, WHEELS).getByRole('button', { name: 'Move…' }).click()
  const move = dialog(page, 'Move…')
  await move.getByLabel('To bike').selectOption(OTHER)
  await move.getByLabel('Day', { exact: true }).fill('04/01/2026')
  await onlyAlong(move, TIRES)
  await move.getByRole('button', { name: 'Move' }).click()
  await expect(move).toBeHidden()
  await expect(waitingLines(page, 1)).toBeVisible()
  await expect(row(page, WHEELS)).toContainText('Waiting')

  await openBike(page, OTHER)
  for (const name of [WHEELS, TIRES]) await expect(row(page, name)).toContainText('Waiting')
  await expect(row(page, WHEELS).getByRole('textbox', { name: 'Start' })).toHaveValue('04/01/2026')
  await details(page, SPARE).press('Enter')
  await region(page, SPARE).getByRole('button', { name: 'More' }).click()
  await region(page, SPARE).getByRole('button', { name: 'Store…' }).click()
  await dialog(page, 'Store…').getByLabel('Day', { exact: true }).fill('04/02/2026')
  await onlyAlong(dialog(page, 'Store…'))
  await dialog(page, 'Store…').getByRole('button', { name: 'Store' }).click()
  await expect(waitingLines(page, 2)).toBeVisible()

  await page.getByRole('button', { name: 'Garage' }).click()
  const spare = page.getByRole('listitem').filter({ hasText: SPARE })
  await expect(spare).toContainText('not counted yet')
  await expect(spare).toContainText('Waiting')
  await page.reload()
  await page.getByRole('button', { name: `Install ${SPARE}…` }).click()
  const install = dialog(page, 'Install…')
  await install.getByLabel('To bike').selectOption(BIKE)
  await install.getByRole('textbox', { name: 'Day' }).fill('04/03/2026')
  await install.getByRole('button', { name: 'Install' }).click()
  await expect(waitingLines(page, 3)).toBeVisible()
  await expect(spare).toHaveCount(0)
  await showsWaiting(page, [
    /Move: “Test wheels”.*04\/01\/2026 · to Warbird/,
    /Store: “Spare wheels”.*04\/02\/2026/,
    /Install: “Spare wheels”.*04\/03\/2026 · to Surly Cross-Check/,
  ])

  await page.reload()
  await openBike(page, BIKE)
  await expect(row(page, SPARE)).toContainText('Waiting')
  await tracker.up()
  await expect(line(page, /wait/)).toHaveCount(0)
  await expect(row(page, SPARE)).not.toContainText('Waiting')
  for (const [name, cost] of [
    [WHEELS, 400],
    [TIRES, 90],
  ] as const)
    expect(await stored(name)).toMatchObject([
      { cost, bikes: { name: BIKE }, dateEnded: '2026-04-01T01:00:00', ended_as: 'moved' },
      { cost: 0, bikes: { name: OTHER }, dateStarted: '2026-04-01T01:00:00', dateEnded: null },
    ])
  expect(await stored(SPARE)).toMatchObject([
    { bikes: { name: OTHER }, dateEnded: '2026-04-02T01:00:00', ended_as: 'stored' },
    { bikes: { name: BIKE }, dateStarted: '2026-04-03T01:00:00', dateEnded: null },
  ])
})

test('replaces a part offline, whose new task is done before either is saved', async ({ page, tracker }) => {
  await details(page, WHEELS).press('Enter')
  await region(page, WHEELS).getByRole('button', { name: 'Replace…' }).press('Enter')
  const form = page.getByLabel(`Replace ${WHEELS}`, { exact: true })
  await form.getByRole('textbox', { name: 'Name' }).fill('New wheels')
  await form.getByRole('textbox', { name: 'Cost' }).fill('500')
  await page.keyboard.press('Enter')
  await expect(waitingLines(page, 1)).toBeVisible()
  await expect(row(page, 'New wheels')).toContainText('Waiting')

  await page.reload()
  await details(page, 'New wheels').press('Enter')
  await region(page, 'New wheels').getByRole('button', { name: 'Add service task' }).click()
  const add = dialog(page, 'Add service task')
  await add.getByLabel('Task').fill('True')
  await add.getByLabel('Every miles').fill('500')
  await add.getByRole('button', { name: 'Save task' }).click()
  await expect(waitingLines(page, 2)).toBeVisible()
  const task = region(page, 'New wheels').getByRole('listitem').filter({ hasText: 'True' })
  await expect(task).toContainText('in 500 mi')
  await expect(task).toContainText('Waiting')
  await task.getByRole('button', { name: 'Done' }).click()
  await expect(waitingLines(page, 3)).toBeVisible()
  await page.reload()
  await showsWaiting(page, [
    /Replace: “Test wheels”.*with New wheels · Type Wheels, Cost \$500\.00/,
    /Add task: “True”.*Every 500.0 mi/,
    /Done: “True”/,
  ])

  await tracker.up()
  await expect(line(page, /wait/)).toHaveCount(0)
  await expect(row(page, 'New wheels')).not.toContainText('Waiting')
  expect(await stored(WHEELS)).toMatchObject([{ ended_as: 'worn' }])
  expect(await stored('New wheels')).toMatchObject([{ cost: 500, dateEnded: null }])
  const { data } = await owner
    .from('service_tasks')
    .select('every_days, service_events(done_at, part_id), parts(maintenance(name))')
    .eq('name', 'True')
  expect(data).toMatchObject([
    { every_days: null, service_events: [{}], parts: { maintenance: [{ name: 'New wheels' }] } },
  ])
})

test('a replacement of a part that came off elsewhere is kept with what was typed, and with what depends on it', async ({
  page,
  tracker,
}) => {
  await details(page, WHEELS).press('Enter')
  await region(page, WHEELS).getByRole('button', { name: 'Replace…' }).press('Enter')
  const form = page.getByLabel(`Replace ${WHEELS}`, { exact: true })
  await form.getByRole('textbox', { name: 'Name' }).fill('New wheels')
  await page.keyboard.press('Enter')
  await expect(row(page, 'New wheels')).toContainText('Waiting')
  await details(page, 'New wheels').press('Enter')
  await region(page, 'New wheels').getByRole('button', { name: 'Add service task' }).click()
  await dialog(page, 'Add service task').getByLabel('Task').fill('True')
  await dialog(page, 'Add service task').getByLabel('Every days').fill('30')
  await dialog(page, 'Add service task').getByRole('button', { name: 'Save task' }).click()
  await expect(waitingLines(page, 2)).toBeVisible()

  await owner
    .from('maintenance')
    .update({ dateEnded: '2026-04-01 01:00:00', ended_as: 'damaged' })
    .eq('name', WHEELS)
  await tracker.up()
  await expect(line(page, '1 change could not be saved')).toBeVisible()
  await showsWaiting(page, [
    /Replace: “Test wheels”.*with New wheels.*already ended/,
    /Add task: “True”.*Waiting/,
  ])
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await dialog(page, 'Changes that wait').getByRole('button', { name: 'Drop' }).click()
  await expect(dialog(page, 'Changes that wait')).toContainText('Everything is saved.')
  expect(await stored(WHEELS)).toMatchObject([{ ended_as: 'damaged' }])
  expect([
    await stored('New wheels'),
    (await owner.from('service_tasks').select().eq('name', 'True')).data,
  ]).toEqual([[], []])
})
