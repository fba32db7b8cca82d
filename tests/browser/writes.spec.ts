import type { Page } from '@playwright/test'
import { DUE, listen, LOG, USAGE } from './listen.ts'
import { openMainScreen } from './fixtures.ts'
import { expect, field, newName, openLog, rowOf, save, test } from './log-page.ts'

type Sent = (action: () => Promise<unknown>) => Promise<string[]>

function sentBy(page: Page): Sent {
  const requests = listen(page)
  return async (action) => {
    await requests()
    await action()
    return requests()
  }
}

/** Returns a function that saves the text. */
async function change(page: Page, id: number, name: string, text: string) {
  await field(rowOf(page, id), name).fill(text)
  return async () => {
    await save(rowOf(page, id)).click()
    await expect(field(rowOf(page, id), name)).not.toHaveAttribute('data-dirty', 'true')
  }
}

const dialogButton = (page: Page, name: string) =>
  page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name, exact: true })

test('a write to the log reloads only what it changed on the screen, in at most three requests', async ({
  page,
  log,
}) => {
  const id = await log.add({ name: 'Chain', type: 'Drivetrain' })
  const sent = sentBy(page)
  await openLog(page, log.url)
  expect(
    await sent(async () => {
      await newName(page).fill('Saddle')
      await newName(page).press('Enter')
      await expect(page.getByRole('button', { name: 'Details of Saddle' })).toBeVisible()
    }),
  ).toEqual(['POST maintenance', LOG, USAGE, DUE].toSorted())
  expect(await sent(await change(page, id, 'Description', 'KMC'))).toEqual([LOG, 'PATCH maintenance'])
  expect(await sent(await change(page, id, 'Cost', '50'))).toEqual([LOG, 'PATCH maintenance'])
  expect(await sent(await change(page, id, 'Name', 'KMC chain'))).toEqual([LOG, 'PATCH maintenance', DUE])
  expect(await sent(await change(page, id, 'Start', '04/01/2024'))).toEqual(
    [LOG, 'PATCH maintenance', USAGE, DUE].toSorted(),
  )

  await page.getByRole('button', { name: 'Details of KMC chain' }).click()
  const details = page.getByRole('region', { name: 'Details of KMC chain' })
  await expect(details.getByRole('heading', { name: 'Wear' })).toBeVisible()
  expect(await sent(await change(page, id, 'Cost', '60'))).toEqual(
    [LOG, 'PATCH maintenance', 'POST part-lifetimes', 'POST rpc/part_history'].toSorted(),
  )
  await details.getByRole('button', { name: 'Replace…' }).click()
  expect(
    await sent(async () => {
      await page.getByRole('row', { name: 'Replace KMC chain' }).getByRole('button', { name: 'SAVE' }).click()
      await expect(page.getByRole('button', { name: 'Details of KMC chain' })).toHaveCount(2)
    }),
  ).toEqual(['POST rpc/change_parts', LOG, USAGE, DUE].toSorted())

  expect(
    await sent(async () => {
      await rowOf(page, id).getByRole('button', { name: 'Delete' }).click()
      await dialogButton(page, 'Delete').click()
      await expect(rowOf(page, id)).toHaveCount(0)
    }),
  ).toEqual(['DELETE maintenance', LOG, USAGE, DUE].toSorted())
})

test('Done and Snooze reload only what is due', async ({ page, sample, log }) => {
  const id = await log.add({ name: 'Chain', type: 'Drivetrain' })
  const { data } = await log.owner.from('maintenance').select('part_id').eq('id', id).single()
  const task = { part_id: data!.part_id, name: 'Wax the chain', kind: 'service', every_days: 100 }
  await log.owner.from('service_tasks').insert(task)
  const sent = sentBy(page)
  await openMainScreen(page, sample.url)
  const due = page
    .getByRole('region', { name: 'Due', exact: true })
    .getByRole('listitem')
    .filter({ hasText: task.name })
  const done = ['POST rpc/mark_service_done', DUE]
  await expect(due).toContainText('overdue')
  expect(
    await sent(async () => {
      await due.getByRole('button', { name: 'Snooze' }).click()
      await dialogButton(page, 'Snooze').click()
      await expect(due).toContainText('snoozed until')
    }),
  ).toEqual(['PATCH service_tasks', DUE])
  await due.getByRole('button', { name: 'End snooze' }).click()
  await expect(due).toContainText('overdue')
  expect(
    await sent(async () => {
      await due.getByRole('button', { name: 'Done' }).click()
      await expect(due).toHaveCount(0)
    }),
  ).toEqual(done)

  await openLog(page, log.url)
  await page.getByRole('button', { name: 'Details of Chain' }).click()
  const details = page.getByRole('region', { name: 'Details of Chain' })
  await expect(details.getByRole('heading', { name: 'Wear' })).toBeVisible()
  expect(
    await sent(async () => {
      await details.getByRole('button', { name: 'Done' }).click()
      await expect(page.getByRole('alert').filter({ hasText: `${task.name} done` })).toBeVisible()
    }),
  ).toEqual(done)
})
