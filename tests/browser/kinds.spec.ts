import type { Page } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { BIKE, expect, openLog, rowOf, test } from './log-page.ts'

const [FRONT, REAR] = ['GP 5000, front', 'Pro One, rear']

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Rotate tires…' })
const cells = (page: Page, end: string) =>
  dialog(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: end }) })
    .getByRole('cell')

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
  })

  test('is found in the command menu', async ({ page, log }) => {
    await openLog(page, log.url)
    await page.keyboard.press('Control+k')
    await page.keyboard.type(`rotate ${BIKE}`)
    await expect(page.getByRole('option', { name: /^Rotate tires …/ })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toBeVisible()
  })
})
