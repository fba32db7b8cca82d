import type { Locator, Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { BIKE, expect, field, openLog, rowOf, test } from './log-page.ts'

const [FRONT, REAR] = ['GP 5000, front', 'Pro One, rear']

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Rotate tires…' })
const cells = (page: Page, end: string) =>
  dialog(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: end }) })
    .getByRole('cell')

/** Returns where the text beside a name is: the space between them, and whether it is on the name's last line. */
const textBeside = (name: Locator, text: string) =>
  name.evaluate((element, text) => {
    const entry = element.closest('[data-item]')!
    const beside = [...entry.querySelectorAll('span')].find((one) => one.textContent.trim() === text)
    if (!beside) return null
    const [one, other] = [element.getBoundingClientRect(), beside.getBoundingClientRect()]
    return {
      space: Math.round(other.left - one.right),
      isOnLine: other.bottom <= one.bottom && other.top > one.bottom - 20,
    }
  }, text)

test.describe('Rotate', () => {
  let front: number
  let rear: number

  test.beforeEach(async ({ log }) => {
    const from = { type: 'Tires', dateStarted: '2024-03-10 01:00:00' }
    front = await log.add({ ...from, name: FRONT, kind: 'tire', position: 'front' })
    rear = await log.add({ ...from, name: REAR, kind: 'tire', position: 'rear' })
  })

  test('takes a few keys from the bike’s menu, shows both ends before and after, and is one Undo', async ({
    page,
    log,
  }) => {
    await openLog(page, log.url)
    await page.getByRole('button', { name: 'Bike: More' }).press('Enter')
    await page.getByRole('button', { name: 'Rotate tires…' }).press('Enter')
    await expect(cells(page, 'Front').first()).toContainText(FRONT)
    await expect(cells(page, 'Front').nth(1)).toContainText('Pro One')
    await expect(cells(page, 'Front').nth(1)).toContainText(/^Pro One0\.0\smi front, [\d,.]+\smi rear$/)
    await expect(cells(page, 'Rear').nth(1)).toContainText('GP 5000')
    expect(await axeViolations(page)).toEqual([])
    const day = dialog(page).getByRole('textbox', { name: 'Day' })
    await day.fill('03/10/2024')
    await expect(
      dialog(page).getByText('Enter a date after 03/10/2024, when it was installed.'),
    ).toBeVisible()
    await expect(dialog(page).getByRole('button', { name: 'Rotate' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await day.fill('06/01/2024')
    await day.press('Enter')

    await expect(page.getByText('“Pro One, rear” is at the front now.')).toBeVisible()
    await expect(dialog(page)).toHaveCount(0)
    const rows = async () =>
      (
        await log.owner
          .from('maintenance')
          .select('name, position, dateStarted, dateEnded')
          .eq('bikeId', log.bikeId)
          .order('id')
      ).data
    await expect.poll(rows).toMatchObject([
      { name: FRONT, position: 'front', dateEnded: '2024-06-01T01:00:00' },
      { name: REAR, position: 'rear', dateEnded: '2024-06-01T01:00:00' },
      { name: 'GP 5000', position: 'rear', dateStarted: '2024-06-01T01:00:00', dateEnded: null },
      { name: 'Pro One', position: 'front', dateStarted: '2024-06-01T01:00:00', dateEnded: null },
    ])
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect.poll(rows).toMatchObject([{ dateEnded: null }, { dateEnded: null }])
    await expect(rowOf(page, front)).toBeVisible()
  })

  test('starts from a tire’s details, keeps the names if asked to, and says why it is refused', async ({
    page,
    log,
  }) => {
    await openLog(page, `${log.url}&item=${rear}`)
    await page.getByRole('button', { name: 'Rotate…' }).click()
    await dialog(page).getByLabel('Take “front” and “rear” out of the names').uncheck()
    await expect(cells(page, 'Front').nth(1)).toContainText(REAR)
    // Meanwhile, on another device.
    await log.add({ name: 'Spare', kind: 'tire', position: 'front' })
    await dialog(page).getByRole('button', { name: 'Rotate' }).click()
    await expect(dialog(page).getByRole('alert')).toHaveText(
      'The rotation was not saved. There must be one at the front, one at the rear, or both.',
    )
    expect(await log.stored(front)).toMatchObject({ dateEnded: null })
    await dialog(page).getByLabel('Brake pads').check()
    await expect(page.getByRole('dialog', { name: 'Rotate brake pads…' })).toContainText(
      'No brake pads are in use on this bike.',
    )
  })

  test('fits on a phone', async ({ page, log }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await openLog(page, log.url)
    await page.getByRole('button', { name: 'Bike: More' }).click()
    await page.getByRole('button', { name: 'Rotate tires…' }).click()
    await expect(cells(page, 'Rear').nth(1)).toContainText('GP 5000')
    expect(await axeViolations(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Rotate' }).click()
    await expect(page.getByText('“GP 5000, front” is at the rear now.')).toBeVisible()
    const name = page.getByRole('listitem').getByRole('button', { name: 'Details of GP 5000' })
    await expect.poll(() => textBeside(name, 'rear')).toEqual({ space: 8, isOnLine: true })
  })

  test('is found in the command menu', async ({ page, log }) => {
    await openLog(page, log.url)
    await page.keyboard.press('Control+k')
    await page.keyboard.type(`rotate ${BIKE}`)
    await expect(page.getByRole('option', { name: /^Rotate tires …/, selected: true })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toBeVisible()
  })
})

test('keeps the kind that the owner chose over a reload, and Replace takes over what the part is and where', async ({
  page,
  log,
}) => {
  const old = await log.add({ name: 'Marathon', type: 'Tires', kind: 'tire', position: 'rear' })
  await openLog(page, log.url)
  await page.getByPlaceholder('+ Add New Maintenance').fill('Gizmo')
  await page.getByRole('button', { name: 'Kind: none. Change' }).press('Enter')
  await page.getByRole('searchbox', { name: 'Find a kind' }).fill('grips')
  await page.getByRole('button', { name: 'Grips', exact: true }).press('Enter')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Kind: grips. Change' })).toBeVisible()

  await page.goto(`${log.url}&item=${old}`)
  await page.getByRole('button', { name: 'Replace…' }).click()
  const replace = page.getByLabel('Replace Marathon', { exact: true })
  await replace.getByRole('button', { name: 'Kind: rear tire. Change' }).click()
  await replace.getByRole('radio', { name: 'Both' }).check()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await replace.getByRole('button', { name: 'SAVE' }).click()
  await expect(page.getByText('“Marathon” was replaced.')).toBeVisible()
  const positions = async () =>
    (await log.owner.from('maintenance').select('position').eq('name', 'Marathon').order('id')).data
  expect(await positions()).toEqual([{ position: 'rear' }, { position: 'both' }])
})

test('corrects a part in its details, with others of its name if asked to, and one Undo takes all back', async ({
  page,
  log,
}) => {
  const ids = []
  for (const dateEnded of ['2025-03-01 01:00:00', '2025-06-01 01:00:00', null])
    ids.push(await log.add({ name: 'Pro One', type: 'Tires', kind: 'tire', position: 'rear', dateEnded }))
  const positions = async () =>
    (await log.owner.from('maintenance').select('position').eq('name', 'Pro One').order('id')).data!.map(
      ({ position }) => position,
    )
  await openLog(page, `${log.url}&item=${ids[2]}`)
  const name = field(rowOf(page, ids[2]!), 'Name')
  expect((await name.boundingBox())!.width).toBeLessThan(100)
  expect((await textBeside(name, 'rear'))!.space).toBeLessThan(4)
  await page.getByText('rear', { exact: true }).last().click()
  await expect(name).toBeFocused()
  const button = page.getByRole('button', { name: 'Kind: rear tire. Change' })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await button.press('Enter')
  await expect(save).toBeDisabled()
  await page.getByRole('radio', { name: 'Front' }).check()
  expect(await positions()).toEqual(['rear', 'rear', 'rear'])
  await save.press('Enter')
  await expect(page.getByText('“Pro One” is now a front tire.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Kind: front tire. Change' })).toBeFocused()
  expect(await positions()).toEqual(['rear', 'rear', 'front'])
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect.poll(positions).toEqual(['rear', 'rear', 'rear'])

  await button.press('Enter')
  await expect(page.getByRole('radio', { name: 'Rear' })).toBeChecked()
  await page.getByRole('radio', { name: 'Front' }).check()
  await page.getByLabel('Also 2 other parts of that name').check()
  expect(await axeViolations(page)).toEqual([])
  await save.press('Enter')
  await expect(page.getByText('“Pro One” is now a front tire, and so are 2 other parts.')).toBeVisible()
  expect(await positions()).toEqual(['front', 'front', 'front'])
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect.poll(positions).toEqual(['rear', 'rear', 'rear'])
})

test('asks for all parts without a kind in one dialog, as one change', async ({ page, log }) => {
  await log.add({ name: 'Kette CN-M8100', type: 'Drivetrain' })
  await log.add({ name: 'Gizmo 40' })
  const kindOf = async (name: string) =>
    (await log.owner.from('maintenance').select('parts(kind)').eq('name', name).single()).data!.parts.kind
  await openLog(page, log.url)
  await page.getByRole('button', { name: 'Garage' }).click()
  const line = page
    .getByRole('region', { name: 'To check', exact: true })
    .getByRole('listitem')
    .filter({ hasText: /parts have no kind/ })
  await line.getByRole('button', { name: /^Choose kinds/ }).click()
  const dialog = page.getByRole('dialog', { name: /^\d+ parts have no kind$/ })
  await expect(
    dialog.getByRole('button', { name: 'Kind of Kette CN-M8100: chain, proposed. Change' }),
  ).toBeVisible()
  await dialog.getByRole('button', { name: 'Kind of Gizmo 40: none. Change' }).click()
  await dialog.getByRole('searchbox', { name: 'Find a kind' }).fill('head')
  await dialog.getByRole('button', { name: 'Headset' }).click()
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: /^Save \d+ kinds$/ }).click()
  await expect(dialog).toHaveCount(0)
  expect([await kindOf('Kette CN-M8100'), await kindOf('Gizmo 40')]).toEqual(['chain', 'headset'])
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect.poll(() => kindOf('Kette CN-M8100')).toBeNull()
  expect(await kindOf('Gizmo 40')).toBeNull()
  await expect(line).toBeVisible()
})
