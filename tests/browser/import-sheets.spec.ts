// Files of other trackers. src/features/import tests what their columns are and which lines are refused.
import type { OwnerClient } from '../owner.ts'
import { expectAccessible, PHONE } from './axe.ts'
import { choose, dialog } from './import-page.ts'
import { BIKE, expect, openLog, test } from './log-page.ts'

const itemsOf = async (owner: OwnerClient, bikeId: number) =>
  (
    await owner
      .from('maintenance')
      .select('name, cost, dateStarted, dateEnded')
      .eq('bikeId', bikeId)
      .order('id')
  ).data!

test('maps the columns of a foreign sheet once', async ({ page, log }) => {
  const header = 'Maintenance Item;Worn since;Total Price;Shop'
  await openLog(page, log.url)
  await choose(page, `${header}\nChain;2024-03-01;45,50;Here\nSaddle;2024-04-01;;There`, 'sheet.csv')
  await expect(dialog(page).getByRole('status')).toHaveText('What is in each column?')
  await expect(dialog(page).getByLabel('Maintenance Item')).toHaveValue('name')
  await expect(dialog(page).getByLabel('Total Price')).toHaveValue('cost')
  await expect(dialog(page)).toContainText('“2024-03-01”, “2024-04-01”')
  await dialog(page).getByLabel('Worn since').selectOption('Start')
  await dialog(page).getByLabel('Shop').selectOption('Not imported')
  await expectAccessible(page, [PHONE])
  await dialog(page).getByRole('button', { name: 'Continue' }).click()

  await expect(dialog(page).getByRole('status')).toHaveText('The file doesn’t say everything yet.')
  await dialog(page).getByLabel('Which bike is this log for?').selectOption(BIKE)
  await expect(dialog(page)).toContainText('Not imported: Shop.')
  await expect(dialog(page).getByRole('region', { name: 'To add: 2' })).toContainText('Start: 03/01/2024')
  await dialog(page).getByRole('button', { name: 'Import 2 log entries' }).click()
  await expect(dialog(page)).toHaveCount(0)
  expect(await itemsOf(log.owner, log.bikeId)).toMatchObject([
    { name: 'Chain', cost: 45.5, dateStarted: '2024-03-01T01:00:00' },
    { name: 'Saddle', cost: 0, dateStarted: '2024-04-01T01:00:00' },
  ])

  await choose(page, `${header}\nTire;2024-05-01;60;Here`, 'later.csv')
  await dialog(page).getByLabel('Which bike is this log for?').selectOption(BIKE)
  await expect(dialog(page).getByRole('region', { name: 'To add: 1' })).toContainText('Start: 05/01/2024')
  await dialog(page).getByRole('button', { name: 'Columns' }).click()
  await expect(dialog(page).getByLabel('Worn since')).toHaveValue('dateStarted')

  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await choose(page, 'Teil;Preis\nKette;45', 'teile.csv')
  const lead = dialog(page).getByRole('status')
  await expect(lead).toHaveText('What is in each column? Choose the one with the names.')
  await dialog(page).getByLabel('Teil').selectOption('Name')
  await expect(lead).toHaveText('What is in each column?')
})

test('asks since when Strava’s components are on each bike', async ({ page, log }) => {
  await openLog(page, log.url)
  const head = 'Bike Name,Component Type,Component Brand,Component Model'
  await choose(
    page,
    `${head}\n${BIKE},Chain,KMC,X11\n${BIKE},Rear Tire,Continental,GP 5000`,
    'components.csv',
  )
  await expect(dialog(page)).toContainText('Read as Strava’s components.')
  await dialog(page)
    .getByRole('textbox', { name: `On ${BIKE} since` })
    .fill('04/01/2023')
  const listed = dialog(page).getByRole('region', { name: 'To add: 2' })
  await expect(listed).toContainText('Continental GP 5000')
  await expect(listed).toContainText('Kind: tire · Position: rear')
  await expectAccessible(page, [PHONE])
  await dialog(page).getByRole('button', { name: 'Import 2 log entries' }).click()
  await expect(dialog(page)).toHaveCount(0)
  expect(await itemsOf(log.owner, log.bikeId)).toMatchObject([
    { name: 'KMC X11', dateStarted: '2023-04-01T01:00:00' },
    { name: 'Continental GP 5000', dateStarted: '2023-04-01T01:00:00' },
  ])
})

test('turns an odometer’s readings into days on a phone, and mends one beyond the rides', async ({
  page,
  log,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openLog(page, log.url)
  const file = `Bike,Part,Installed at,Removed at\n${BIKE},Chain,100,"1,000"\n${BIKE},Tire,90000,`
  await choose(page, file, 'odometer.csv')
  await expect(dialog(page).getByRole('button', { name: /^Import \d/ })).toHaveCount(0)
  await dialog(page)
    .getByRole('group', { name: /^In which unit/ })
    .getByRole('radio', { name: 'Kilometers' })
    .check()
  await expect(dialog(page)).toContainText(
    new RegExp(`Odometer when installed “90000 km”: ${BIKE}’s rides only reach [\\d,.]+.km\\.`),
  )
  const { data: rides } = await log.owner
    .from('rides')
    .select('started_at, distance')
    .eq('gear_id', log.bikeId)
    .order('started_at')
  let odometer = 0
  const reached = rides!.map(({ started_at, distance }) => {
    odometer += distance ?? 0
    return { day: started_at!.slice(0, 10), odometer }
  })
  const dayOf = (km: number) => reached.find(({ odometer }) => odometer >= km * 1000)!.day
  const [year, month, day] = dayOf(100).split('-')
  await expect(dialog(page).getByRole('region', { name: 'To add: 1' })).toContainText(
    `Start: ~${month}/${day}/${year}`,
  )
  await expectAccessible(page)
  await dialog(page).getByRole('textbox', { name: 'Odometer when installed, line 3' }).fill('500')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'Import 2 log entries' }).click()
  await expect(dialog(page)).toHaveCount(0)
  expect(await itemsOf(log.owner, log.bikeId)).toMatchObject([
    { name: 'Chain', dateStarted: `${dayOf(100)}T01:00:00`, dateEnded: `${dayOf(1000)}T01:00:00` },
    { name: 'Tire', dateStarted: `${dayOf(500)}T01:00:00`, dateEnded: null },
  ])
})
