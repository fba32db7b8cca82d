import { expectAccessible } from './axe.ts'
import { openMainScreen } from './fixtures.ts'
import { BIKE, expect, openLog, test } from './log-page.ts'

const PHONE = { width: 390, height: 844 }

test('a bike is sold with its parts in five taps, and one Undo brings it back', async ({ page, log }) => {
  await log.add({ name: 'Hunt 44', type: 'Wheels', kind: 'wheel', position: 'both' })
  await log.add({ name: 'Brooks C17', type: 'Saddle', kind: 'saddle' })
  await log.add({ name: 'Shimano XT', type: 'Pedals', kind: 'pedals' })
  await page.setViewportSize(PHONE)
  await openLog(page, log.url)

  await page.getByRole('button', { name: 'Bike: More' }).click()
  await page.getByRole('button', { name: 'Sell this bike…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sell this bike…' })
  await expect(dialog).toContainText(`${BIKE}: Salsa Warbird`)
  await expect(dialog.getByText('3 parts end on')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Price' }).fill('1450')
  await dialog.getByRole('checkbox', { name: /^Brooks C17/ }).click()
  await dialog.getByRole('checkbox', { name: /^Shimano XT/ }).click()
  await expect(dialog.getByText(/1 part ends on .+ as sold, 2 go to storage/)).toBeVisible()
  await expect(dialog.getByText(/\$1,450\.00 counts as income in Spending of \d{4}/)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Sell', exact: true }).click()

  await expect(page.getByText(`“${BIKE}” was sold with 1 part, 2 to storage.`)).toBeVisible()
  await expect(page.getByText(/^Sold \d\d\/\d\d\/\d{4} for \$1,450\.00$/)).toBeVisible()
  await expectAccessible(page)
  const { data: rows } = await log.owner.from('maintenance').select('name, ended_as').eq('bikeId', log.bikeId)
  expect(rows).toEqual(
    expect.arrayContaining([
      { name: 'Hunt 44', ended_as: 'sold' },
      { name: 'Brooks C17', ended_as: 'stored' },
    ]),
  )

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(/^Sold \d/)).toHaveCount(0)
  const { data: after } = await log.owner.from('maintenance').select('ended_as').eq('bikeId', log.bikeId)
  expect(after).toEqual([{ ended_as: null }, { ended_as: null }, { ended_as: null }])
})

test('the passport has what is known of the bike, and Spending what it was sold for', async ({
  page,
  log,
}) => {
  await log.add({ name: 'Chain', type: 'Drivetrain', kind: 'chain', dateStarted: '2024-06-01 01:00:00' })
  await openLog(page, log.url)
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Bike: More' }).click()
    await page.getByRole('button', { name }).click()
  }
  await choose('Serial number, size, color…')
  const details = page.getByRole('dialog', { name: 'Serial number, size, color…' })
  await details.getByRole('textbox', { name: 'Serial number' }).fill('WTU 123')
  await details.getByRole('textbox', { name: 'Size' }).fill('56')
  await details.getByRole('button', { name: 'Save' }).click()
  await expect(details).toBeHidden()

  await choose('Sell this bike…')
  const sale = page.getByRole('dialog', { name: 'Sell this bike…' })
  await sale.getByRole('textbox', { name: 'Day' }).fill('05/31/2024')
  await expect(sale.getByText('“Chain” starts on 06/01/2024. Enter that day or a later one.')).toBeVisible()
  await sale.getByRole('textbox', { name: 'Day' }).fill('06/02/2024')
  await sale.getByRole('textbox', { name: 'Price' }).fill('900')
  await sale.getByRole('button', { name: 'Sell', exact: true }).click()
  await expect(page.getByText('Sold 06/02/2024 for $900.00')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export the log' }).click()
  expect((await download).suggestedFilename()).toMatch(/^maintenance-log-warbird-/)

  await page.getByRole('link', { name: 'Passport' }).click()
  const sheet = page.getByRole('article')
  await expect(sheet.getByText('Serial number WTU 123, size 56')).toBeVisible()
  await expect(sheet.getByText(/^Passport, /)).toBeVisible()
  await expect(sheet.getByText(/\d:\d\d\sh in [\d,]+ rides/)).toBeVisible()

  await openMainScreen(page, `${new URL(log.url).origin}/#garage&tab=spending`)
  const costs = page.getByRole('region', { name: 'What riding costs' })
  await expect(costs.getByRole('row', { name: `Sold: ${BIKE}` })).toContainText('+$900')
})
