import { execFileSync } from 'node:child_process'
import { axeViolations, expectAccessible, PHONE } from './axe.ts'
import { expect, openMainScreen, test } from './fixtures.ts'

test('makes a token for other software, shows it once, and revokes it at once', async ({ page, sample }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openMainScreen(page, `${sample.url}/#settings`)
  const open = page.getByRole('button', { name: 'New token…' })
  const dialog = page.getByRole('dialog', { name: 'New token' })
  const button = (name: string) => dialog.getByRole('button', { name, exact: true })
  const row = page.getByRole('listitem').filter({ hasText: 'Home Assistant' }).last()
  await open.press('Enter')
  await button('Create').press('Enter')
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await expect(dialog).toContainText('Enter a name')
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByLabel('Name').fill(' Home Assistant ')
  await expect(dialog.getByRole('radio', { name: 'Read', exact: true })).toBeChecked()
  await dialog.getByRole('radio', { name: 'Read and write' }).check()
  await dialog.getByLabel('Expires').selectOption('Never')
  // The token is stored, but its response is lost.
  let lost = 0
  await page.route('**/rpc/create_token', async (route) => {
    lost += 1
    if (lost > 1) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await dialog.getByLabel('Name').press('Enter')

  const token = dialog.getByText(/^rmt_[0-9A-Za-z]{40}$/)
  await expect(token).toBeVisible()
  expect(lost).toBe(2)
  await expectAccessible(page, [1440])
  await button('Copy').click()
  await expect(dialog.getByRole('status').first()).toHaveText('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await token.innerText())
  const secret = await token.innerText()
  await button('Copy command').click()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  const answerOf = (): unknown =>
    JSON.parse(execFileSync('sh', ['-c', `${command} --silent`], { encoding: 'utf8' }))
  expect(answerOf()).toMatchObject({ units: 'mi' })
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(open).toBeFocused()
  await expect(row).toContainText(/Read and write · made \d\d\/\d\d\/\d{4} · never used · no expiry/)
  await expect(row).toHaveCount(1)
  await page.reload()
  await expect(row).toContainText('used in the last hour')
  await expect(page.locator('body')).not.toContainText(secret)
  await expectAccessible(page, [PHONE])

  await row.getByRole('button', { name: 'Revoke' }).press('Enter')
  await expect(page.getByText('“Home Assistant” was revoked.')).toBeAttached()
  expect(answerOf()).toMatchObject({ code: 'unauthorized' })
  await expect(page.getByText('no expiry')).toHaveCount(0)
  await expect(open).toBeFocused()
})
