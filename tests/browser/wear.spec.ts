import { COMMUTER } from '../../sample/gear.ts'
import { expect, openMainScreen, test } from './fixtures.ts'

const CHAIN = 'KMC X9 chain'

test('records the wear of a part, and shows the effect of an edit before it is saved', async ({
  page,
  sample,
}) => {
  await openMainScreen(page, `${sample.url}/#bike=${COMMUTER}`)
  await page.getByRole('button', { name: `Details of ${CHAIN}` }).click()
  const details = page.getByRole('region', { name: `Details of ${CHAIN}` })
  const wear = details.getByRole('region', { name: 'Wear' })
  const dialog = page.getByRole('dialog')

  await wear.getByRole('button', { name: 'Add measurement' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('Enter a value, or choose what the gauge says.')
  await dialog.getByLabel('Value').fill('0.25')
  await dialog.getByLabel('Tool').fill('Park CC-4')
  await dialog.getByLabel('Reading').selectOption('Gauge says under')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const measured = wear.getByRole('table', { name: 'Measurements in chain %, Park CC-4' })
  await expect(measured.getByRole('row').filter({ hasText: 'under 0.25' })).toBeVisible()
  await measured.getByRole('button', { name: /^Remove measurement/ }).click()
  await expect(measured).toHaveCount(0)
  await page
    .getByRole('alert')
    .filter({ hasText: 'The measurement was removed.' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(measured.getByRole('row').filter({ hasText: 'under 0.25' })).toBeVisible()

  await details.getByRole('button', { name: 'More' }).click()
  await details.getByRole('button', { name: 'What if…' }).click()
  await details.getByRole('textbox', { name: 'Cost' }).fill('77')
  await details.getByRole('button', { name: 'Calculate' }).click()
  const result = details.getByRole('table', { name: 'Result' })
  await expect(result.getByRole('row').filter({ hasText: 'This one' })).toContainText('$77.00')
  await details.getByRole('button', { name: 'Edit with these values' }).click()
  const changed = page.locator('[data-dirty="true"]')
  await expect(changed).toHaveCount(1)
  await expect(changed.getByRole('textbox', { name: 'Cost' })).toHaveValue('$77.00')
})
