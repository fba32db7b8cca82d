import { COMMUTER, ROAD } from '../../sample/gear.ts'
import { axeViolations } from './axe.ts'
import { expect, openMainScreen, test, signInOwner } from './fixtures.ts'

const BIKE = 'Surly Cross-Check'

test('prints the log without controls, and a parts list with every entry and the total', async ({
  page,
  sample,
}) => {
  const owner = await signInOwner(sample.url)
  const ofBike = { bikeId: COMMUTER, dateEnded: '2099-01-01 01:00:00' }
  const link = 'https://shop.example.com/wheels'
  const rented = { ...ofBike, link, name: 'Rented wheels', dateStarted: '2024-01-01 01:00:00' }
  const planned = { ...ofBike, name: 'Planned wheels', dateStarted: '2098-01-01 01:00:00' }
  await owner.from('maintenance').insert([rented, { ...planned, link: null }])
  const { data: items } = await owner.from('maintenance').select('name, cost').eq('bikeId', COMMUTER)
  await openMainScreen(page, `${sample.url}/#bike=${COMMUTER}`)
  // Usage loads after the log.
  await expect(page.getByRole('table').getByText(/^[\d,]+\.\d\u00a0mi$/)).toHaveCount(items!.length)

  await page.emulateMedia({ media: 'print' })
  // The column headers are buttons, but print as text.
  await expect(page.locator('button:not(th *)').filter({ visible: true })).toHaveCount(0)
  await expect(page.getByPlaceholder('+ Add New Maintenance')).toBeHidden()
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await page.emulateMedia({ media: 'screen' })

  await page.getByRole('button', { name: 'Bike: More' }).click()
  await page.getByRole('button', { name: 'Parts list' }).click()
  const sheet = page.getByRole('article')
  await expect(page).toHaveTitle(`${BIKE} · Parts list · RWGPS Maintenance Tracker`)
  await expect(page.getByRole('main')).toBeFocused()
  for (const name of new Set(items!.map(({ name }) => name)))
    await expect(sheet.getByText(name, { exact: true })).toHaveCount(
      items!.filter((item) => item.name === name).length,
    )
  const group = (heading: RegExp) => sheet.getByRole('rowgroup').filter({ hasText: heading })
  await expect(group(/^In use/).getByText(rented.name)).toBeVisible()
  await expect(group(/^Planned \(1\)/).getByText(planned.name)).toBeVisible()
  const total = items!.reduce((sum, { cost }) => sum + cost, 0)
  const dollars = total.toLocaleString('en-US', { style: 'currency', currency: 'USD' })
  await expect(sheet.getByRole('row', { name: /^Total Cost:/ })).toHaveText(`Total Cost:${dollars}`)
  await expect(sheet.getByRole('cell', { name: /^[\d,]+\.\d\smi$/ })).toHaveCount(items!.length)
  expect(await axeViolations(page)).toEqual([])
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    const cutOff = await sheet.getByRole('region').evaluate((one) => one.scrollWidth - one.clientWidth)
    expect(cutOff, `${width} px`).toBe(0)
  }

  await page.emulateMedia({ media: 'print' })
  await expect(sheet).toBeVisible()
  for (const control of ['button', 'link', 'banner'] as const)
    await expect(page.getByRole(control).filter({ visible: true })).toHaveCount(0)
  await page.emulateMedia({ media: 'screen' })

  // The passport: links, services and days, and prices only if wanted.
  await expect(sheet.getByRole('link')).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Service and costs' }).check()
  await expect(group(/^Service/).getByText('Check bolts')).toBeVisible()
  await expect(sheet.getByRole('link', { name: /shop\.example\.com/ })).toHaveAttribute('href', link)
  await expect(
    group(/^In use/)
      .getByText(/: \d+ times, last \d\d\/\d\d\/\d{4}/)
      .first(),
  ).toBeVisible()
  await expect(sheet.getByRole('columnheader', { name: 'Days' })).toBeAttached()
  await expect(sheet.getByRole('row', { name: /^Total Cost:/ })).toHaveText(`Total Cost:${dollars}`)
  await page.getByRole('checkbox', { name: 'Prices' }).uncheck()
  await expect(sheet.getByText(/\$\d/)).toHaveCount(0)

  await page.emulateMedia({ media: null })
  await page.goto(`${sample.url}/#bike=${ROAD}&view=parts-list&detail=service`)
  await expect(group(/^Service/)).toBeVisible()
  for (const format of ['Letter', 'A4']) {
    const pdf = (await page.pdf({ format })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b/g)!.length, format).toBeLessThanOrEqual(2)
  }

  await page.getByRole('link', { name: 'Back to the log' }).click()
  await expect(page.getByRole('tab', { name: 'Maintenance Log' })).toBeVisible()
})
