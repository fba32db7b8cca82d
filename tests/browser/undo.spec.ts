import type { Browser, Page } from '@playwright/test'
import { expect, field, openLog, rowOf, test } from './log-page.ts'

test.use({ ownContext: true })

const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const dialog = (page: Page) => page.getByRole('dialog')

const details = (page: Page) => page.getByRole('region', { name: 'Details of Chain' })
const task = (page: Page) =>
  details(page).getByRole('group', { name: 'Service' }).getByRole('listitem').filter({ hasText: 'Wax' })

async function openDetails(page: Page, url: string) {
  await openLog(page, url)
  await page.getByRole('button', { name: 'Details of Chain' }).click()
  await expect(task(page)).toBeVisible()
}

/** Opens the log on a second device. */
async function openElsewhere(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext()
  // Opens and keeps the page that signs in.
  await context.newPage()
  const page = await context.newPage()
  await openDetails(page, url)
  return page
}

async function editTask(page: Page, miles: string) {
  await task(page).getByRole('button', { name: 'Edit Wax', exact: true }).click()
  await dialog(page).getByLabel('Every miles').fill(miles)
  return async () => dialog(page).getByRole('button', { name: 'Save task' }).click()
}

/** Opens the form of the only service event, and fills it in. */
async function correction(page: Page, values: Record<string, string>) {
  const history = details(page).getByText(/^Service history/)
  const edit = details(page).getByRole('button', { name: /^Edit Wax of/ })
  if (!(await edit.isVisible())) await history.click()
  await edit.click()
  for (const [label, value] of Object.entries(values)) await dialog(page).getByLabel(label).fill(value)
  return async () => {
    await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
    await expect(dialog(page)).toBeHidden()
  }
}

const correct = async (page: Page, values: Record<string, string>) => (await correction(page, values))()

test('Undo and forms discard nothing that another device has saved', async ({ page, browser, log }) => {
  const id = await log.add({ name: 'Chain', type: 'Drivetrain' })
  const { data } = await log.owner.from('maintenance').select('part_id').eq('id', id).single()
  const part = { part_id: data!.part_id }
  await log.owner.from('service_tasks').insert({ ...part, name: 'Wax', every_distance: 482_700 })
  await openDetails(page, log.url)
  const other = await openElsewhere(browser, log.url)

  // A form that another device has made stale.
  const save = await editTask(page, '400')
  await (
    await editTask(other, '500')
  )()
  await expect(dialog(other)).toBeHidden()
  await save()
  await expect(dialog(page)).toContainText(
    'It has changed since: Every 300.0 mi → 500.0 mi. Save again to replace this.',
  )
  await save()
  await expect(dialog(page)).toBeHidden()

  // Done here, a note and a cost there. Toasts stay while the mouse is over them.
  await task(page).getByRole('button', { name: 'Done' }).click()
  await toast(page, 'Wax done').hover()
  await other.reload()
  await correct(other, { Cost: '12.50', Note: 'Drip' })
  await toast(page, 'Wax done').getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, 'was not undone')).toContainText('Note empty → Drip')
  const history = async () => (await log.owner.rpc('service_history', part)).data
  expect(await history()).toMatchObject({ events: [{ note: 'Drip', cost: 12.5 }] })

  await other.context().close()
})

test('Undo needs no response to the deletion, and repeats its own', async ({ page, log }) => {
  const id = await log.add({ name: 'Chain' })
  await openLog(page, log.url)
  const lost = new Set<string>()
  await page.route('**/rpc/run_command', async (route) => {
    const { command } = route.request().postDataJSON() as { command: string }
    if (lost.has(command)) return route.fallback()
    lost.add(command)
    await route.fetch()
    return route.abort('connectionreset')
  })
  await rowOf(page, id).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(rowOf(page, id)).toHaveCount(0)
  await toast(page, '“Chain” was deleted.').getByRole('button', { name: 'Undo' }).click()
  await expect(field(rowOf(page, id), 'Name')).toHaveValue('Chain')
  await expect(page.getByRole('alert')).toHaveCount(0)
})
