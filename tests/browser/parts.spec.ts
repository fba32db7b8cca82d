import type { Page } from '@playwright/test'
import type { OwnerClient } from '../owner.ts'
import { COMMUTER, GRAVEL } from '../../sample/gear.ts'
import { axeViolations } from './axe.ts'
import { bikes, expect, openMainScreen, signInOwner, test } from './fixtures.ts'

const [BIKE, OTHER] = ['Surly Cross-Check', 'Warbird']
const [WHEELS, TIRES, SPARE] = ['Test wheels', 'Test tires', 'Spare wheels']
let owner: OwnerClient

test.beforeEach(async ({ page, sample }) => {
  owner = await signInOwner(sample.url)
  const dateStarted = '2026-03-01 01:00:00'
  await owner.from('maintenance').insert([
    { bikeId: COMMUTER, name: WHEELS, type: 'Wheels', cost: 400, dateStarted },
    { bikeId: COMMUTER, name: TIRES, type: 'Tires', cost: 90, dateStarted },
    { bikeId: GRAVEL, name: SPARE, type: 'Wheels', cost: 100, dateStarted },
  ])
  await openMainScreen(page, `${sample.url}/#bike=${COMMUTER}`)
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

const region = (page: Page, name: string) => page.getByRole('region', { name: `Details of ${name}` })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

async function openDetails(page: Page, name: string) {
  await page.getByRole('button', { name: `Details of ${name}`, expanded: false }).press('Enter')
  await expect(region(page, name).getByRole('heading', { name: 'History' })).toBeVisible()
}

test('replaces a part with one press and Enter, and Undo restores it', async ({ page }) => {
  await openDetails(page, WHEELS)
  await region(page, WHEELS).getByRole('button', { name: 'Replace…' }).press('Enter')
  const line = page.getByLabel(`Replace ${WHEELS}`, { exact: true })
  await expect(line.getByRole('textbox', { name: 'Cost' })).toBeFocused()
  // In a tall window, the sticky header covers no rows.
  await page.setViewportSize({ width: 1440, height: 2000 })
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page.getByText(`“${WHEELS}” was replaced.`)).toBeVisible()
  const [before, after] = await stored(WHEELS)
  expect(before).toMatchObject({ ended_as: 'worn', dateEnded: after!.dateStarted })
  expect(after).toMatchObject({ cost: 400, dateEnded: null })

  // Not before the replacement has the focus, which Enter would then be for.
  const names = page.getByRole('textbox', { name: 'Name' }).and(page.locator(`[value="${WHEELS}"]`))
  await expect(names.and(page.locator(':focus'))).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(names).toHaveCount(1)
  await expect(page.locator('main, main *').and(page.locator(':focus'))).toHaveCount(1)
  await expect.poll(() => stored(WHEELS)).toMatchObject([{ dateEnded: null, ended_as: null }])

  await page.setViewportSize({ width: 390, height: 844 })
  await openDetails(page, WHEELS)
  await region(page, WHEELS).getByRole('button', { name: 'Replace…' }).click()
  await line.getByRole('textbox', { name: 'Name' }).fill(SPARE)
  expect(await axeViolations(page)).toEqual([])
  await line.getByRole('button', { name: 'SAVE' }).click()
  await expect(line).toHaveCount(0)
  await expect.poll(() => stored(SPARE)).toHaveLength(2)
})

test('moves wheels with their tires, swaps another wheelset, and suggests the tires when moving back', async ({
  page,
}) => {
  await openDetails(page, WHEELS)
  await region(page, WHEELS).getByRole('button', { name: 'Move…' }).click()
  const move = dialog(page, 'Move…')
  await move.getByLabel('To bike').selectOption(OTHER)
  await move.getByLabel('Day', { exact: true }).fill('04/20/2026')
  await move.getByLabel('Day', { exact: true }).click()
  await page.getByRole('gridcell', { name: 'Choose Wednesday, April 1, 2026' }).click()
  await expect(move.getByLabel('Day', { exact: true })).toHaveValue('04/01/2026')
  await move.getByLabel(TIRES).check()
  const off = move.getByRole('group', { name: `Comes off ${OTHER}` })
  await off.getByLabel(`Replaces: ${SPARE} · ends 04/01/2026`).check()
  await move.getByLabel('Where it goes').selectOption(`To ${BIKE}`)
  expect(await axeViolations(page)).toEqual([])
  await move.getByRole('button', { name: 'Move' }).click()
  await expect(move).toBeHidden()
  expect(await stored(WHEELS)).toMatchObject([
    { ended_as: 'moved', bikes: { name: BIKE } },
    { cost: 0, dateEnded: null, bikes: { name: OTHER } },
  ])
  expect(await stored(SPARE)).toMatchObject([{ ended_as: 'moved' }, { bikes: { name: BIKE } }])

  await bikes(page).getByRole('button', { name: OTHER }).click()
  await openDetails(page, WHEELS)
  await expect(region(page, WHEELS).getByRole('rowheader')).toHaveText([BIKE, OTHER])
  await region(page, WHEELS).getByRole('button', { name: 'Move…' }).click()
  await expect(move.getByLabel('To bike').getByRole('option', { selected: true })).toHaveText('Choose a bike')
  await expect(move.getByLabel(TIRES)).toBeChecked()
})

test('rejects a day on which the part was on another bike, names the bike, and changes nothing', async ({
  page,
}) => {
  await openDetails(page, WHEELS)
  await region(page, WHEELS).getByRole('button', { name: 'More' }).click()
  await region(page, WHEELS).getByRole('button', { name: 'Store…' }).click()
  await dialog(page, 'Store…').getByLabel('Day', { exact: true }).fill('04/01/2026')
  await dialog(page, 'Store…').getByRole('button', { name: 'Store' }).click()
  await expect(page.getByText(`“${WHEELS}” was stored.`)).toBeVisible()

  await page.getByRole('button', { name: 'Garage' }).click()
  await page.getByRole('button', { name: `Install ${WHEELS}…` }).click()
  const install = dialog(page, 'Install…')
  await install.getByLabel('To bike').selectOption(OTHER)
  await install.getByRole('textbox', { name: 'Day' }).fill('05/01/2026')
  await install.getByRole('button', { name: 'Install' }).click()
  await expect(page.getByText(`“${WHEELS}” was installed on ${OTHER}.`)).toBeVisible()
  await expect(page.getByRole('button', { name: `Install ${WHEELS}…` })).toHaveCount(0)

  await bikes(page).getByRole('button', { name: BIKE }).click()
  const end = page
    .getByRole('row')
    .filter({ has: page.locator(`[value="${WHEELS}"]`) })
    .getByRole('textbox', { name: 'End' })
  await end.fill('05/02/2026')
  await end.press('Enter')
  await expect(page.getByText(`This part has been on ${OTHER} since 05/01/2026.`)).toBeVisible()
  expect(await stored(WHEELS)).toMatchObject([{ dateEnded: '2026-04-01T01:00:00', ended_as: 'stored' }, {}])
})
