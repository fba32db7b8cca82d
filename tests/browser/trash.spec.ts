import { GRAVEL } from '../../sample/gear.ts'
import { axeViolations } from './axe.ts'
import { expect, openAccount, openMainScreen, signInOwner, test } from './fixtures.ts'

test('restores a deleted log entry from the trash, and undoes the restore in the history', async ({
  page,
  sample,
}) => {
  const owner = await signInOwner(sample.url)
  const item = { bikeId: GRAVEL, name: 'Bell', cost: 12.5, dateStarted: '2024-03-01 14:30:00.5' }
  const added = (await owner.from('maintenance').insert(item).select('*').single()).data!
  const stored = async () => (await owner.from('maintenance').select('*').eq('id', added.id)).data!

  await openMainScreen(page, `${sample.url}/#bike=${GRAVEL}`)
  const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Details of Bell' }) })
  await row.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(stored).toEqual([])
  // Wait until the row has disappeared and the focus has moved, because that would close the menu.
  await expect(row).toHaveCount(0)

  await openAccount(page)
  await page.getByRole('button', { name: 'Trash' }).press('Enter')
  const trash = page.getByRole('dialog', { name: 'Trash' })
  const deleted = trash.getByRole('listitem').filter({ hasText: 'Deleted Bell, 03/01/2024' })
  await expect(deleted).toContainText('Warbird')
  expect(await axeViolations(page)).toEqual([])
  await deleted.getByRole('button', { name: 'Restore' }).press('Enter')
  await expect(trash.getByRole('status')).toHaveText('The change was undone.')
  await expect(deleted).toContainText('Restored')
  expect(await stored()).toEqual([added])

  await page.keyboard.press('Escape')
  await openAccount(page)
  await page.getByRole('button', { name: 'History' }).press('Enter')
  const history = page.getByRole('dialog', { name: 'History' })
  await expect(history.getByRole('listitem').nth(1)).toContainText('Deleted Bell, 03/01/2024')
  const restored = history.getByRole('listitem').first()
  await expect(restored).toContainText('Restored Bell, 03/01/2024')
  await restored.getByRole('button', { name: 'Undo' }).click()
  await expect(history.getByRole('status')).toHaveText('The restore was undone.')
  expect(await stored()).toEqual([])
})
