import type { Page } from '@playwright/test'
import { DUE, listen, LOG, USAGE } from './listen.ts'
import { openMainScreen } from './fixtures.ts'
import { expect, field, newName, openLog, rowOf, save, test } from './log-page.ts'

const EDIT = 'POST rpc/edit_row'
const UNDO = 'POST rpc/undo'

type Sent = (action: () => Promise<unknown>) => Promise<string[]>

function sentBy(page: Page): Sent {
  const requests = listen(page)
  return async (action) => {
    await requests()
    await action()
    return requests()
  }
}

/** Fills in a field. Returns a function that saves it. */
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
  expect(await sent(await change(page, id, 'Description', 'KMC'))).toEqual([LOG, EDIT])
  expect(await sent(await change(page, id, 'Cost', '50'))).toEqual([LOG, EDIT])
  expect(await sent(await change(page, id, 'Name', 'KMC chain'))).toEqual([LOG, EDIT, DUE])
  expect(await sent(await change(page, id, 'Start', '04/01/2024'))).toEqual(
    [LOG, EDIT, USAGE, DUE].toSorted(),
  )

  const details = await openDetails(page, 'KMC chain')
  expect(await sent(await change(page, id, 'Cost', '60'))).toEqual([LOG, EDIT, USAGE].toSorted())
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

async function openDetails(page: Page, name: string) {
  await page.getByRole('button', { name: `Details of ${name}`, expanded: false }).click()
  const details = page.getByRole('region', { name: `Details of ${name}` })
  await expect(details.getByRole('heading', { name: 'History' })).toBeVisible()
  return details
}

test('details are one request, and so is what a write changes in them', async ({ page, log }) => {
  const id = await log.add({ name: 'Chain', type: 'Drivetrain' })
  await log.add({ name: 'Cassette', type: 'Drivetrain' })
  const sent = sentBy(page)
  await openLog(page, log.url)
  expect(await sent(() => openDetails(page, 'Chain'))).toEqual([USAGE])
  expect(await sent(() => openDetails(page, 'Cassette'))).toEqual([USAGE])
  const details = page.getByRole('region', { name: /^Details of (Chain|KMC chain)$/ })
  await openDetails(page, 'Chain')
  expect(
    await sent(async () => {
      await page.getByRole('button', { name: 'Details of Chain' }).click()
      await expect(details).toHaveCount(0)
    }),
  ).toEqual([])
  await openDetails(page, 'Chain')

  expect(await sent(await change(page, id, 'Description', 'KMC'))).toEqual([LOG, EDIT])
  expect(await sent(await change(page, id, 'Cost', '60'))).toEqual([LOG, EDIT, USAGE].toSorted())
  await expect(details.getByRole('region', { name: 'Lifetime' })).toContainText('$60.00')
  const written = [LOG, USAGE, DUE]
  expect(await sent(await change(page, id, 'Name', 'KMC chain'))).toEqual([EDIT, ...written].toSorted())
  expect(await sent(await change(page, id, 'Start', '04/01/2024'))).toEqual([EDIT, ...written].toSorted())
  await expect(details.getByRole('cell', { name: '04/01/2024' })).toBeVisible()

  const dialog = page.getByRole('dialog')
  expect(
    await sent(async () => {
      await details.getByRole('button', { name: 'Add measurement' }).click()
      await dialog.getByLabel('Value').fill('0.25')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(details.getByRole('row').filter({ hasText: '0.25' })).toBeVisible()
    }),
  ).toEqual(['GET wear_measurements', 'POST wear_measurements', USAGE].toSorted())
  expect(
    await sent(async () => {
      await details.getByRole('button', { name: 'Add earlier usage' }).click()
      await dialog.getByLabel('Miles').fill('100')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(details).toContainText('Before this log: 100 mi')
    }),
  ).toEqual([EDIT, ...written].toSorted())
  await details.getByRole('button', { name: 'Move…' }).click()
  await dialog.getByLabel('To bike').selectOption('Blue Domane')
  await expect(dialog.getByRole('group', { name: 'Bring back from Blue Domane' })).toBeVisible()
  expect(
    await sent(async () => {
      await dialog.getByRole('button', { name: 'Move', exact: true }).click()
      await expect(details.getByRole('rowheader', { name: 'Blue Domane' })).toBeVisible()
    }),
  ).toEqual(['POST rpc/change_parts', ...written].toSorted())
  expect(
    await sent(async () => {
      await page
        .getByRole('alert')
        .filter({ hasText: 'was moved' })
        .getByRole('button', { name: 'Undo' })
        .click()
      await expect(details.getByRole('rowheader', { name: 'Blue Domane' })).toHaveCount(0)
    }),
  ).toEqual([UNDO, ...written].toSorted())
  expect(
    await sent(async () => {
      await details.getByRole('button', { name: 'More' }).click()
      await details.getByRole('button', { name: 'Store…' }).click()
      await dialog.getByRole('button', { name: 'Store', exact: true }).click()
      await expect(page.getByText('“KMC chain” was stored.')).toBeVisible()
      await expect(details.getByRole('button', { name: 'Install…' })).toBeVisible()
    }),
  ).toEqual(['POST rpc/change_parts', ...written].toSorted())
})

test('details that fail can be tried again, and the numbers of the log stay', async ({ page, log }) => {
  const id = await log.add({ name: 'Chain', type: 'Drivetrain' })
  await openLog(page, log.url)
  const miles = rowOf(page, id).getByRole('link', { name: / mi$/ })
  await expect(miles).toBeVisible()
  const url = '**/functions/v1/maintenance-use'
  await page.route(url, (route) => route.fulfill({ status: 500, json: { code: 'internal', message: '' } }))
  await page.getByRole('button', { name: 'Details of Chain' }).click()
  const details = page.getByRole('region', { name: 'Details of Chain' })
  await expect(details.getByText(/^The details could not be loaded\./)).toBeVisible()
  await expect(miles).toBeVisible()
  await expect(page.getByText(/could not be calculated/)).toHaveCount(0)
  await page.unroute(url)
  await details.getByRole('button', { name: 'Try again' }).click()
  await expect(details.getByRole('heading', { name: 'History' })).toBeVisible()
})

test('a write in the timeline is followed by at most three requests', async ({ page, log }) => {
  const id = await log.add({ name: 'Chain', type: 'Drivetrain' })
  await log.add({ name: 'Cassette', type: 'Drivetrain' })
  const sent = sentBy(page)
  await openLog(page, log.url)
  await rowOf(page, id).getByRole('button', { name: 'Delete' }).click()
  await dialogButton(page, 'Delete').click()
  await expect(rowOf(page, id)).toHaveCount(0)
  await page.getByRole('radio', { name: 'Timeline' }).check()
  const timeline = page.getByRole('group', { name: /^Timeline of the log/ })
  await expect(timeline.getByRole('link', { name: /^Cassette/ })).toBeVisible()
  expect(
    await sent(async () => {
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(timeline.getByRole('link', { name: /^Chain/ })).toBeVisible()
    }),
  ).toEqual([UNDO, LOG, USAGE, DUE].toSorted())
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
  ).toEqual(['POST rpc/snooze_service_task', DUE].toSorted())
  await due.getByRole('button', { name: 'End snooze' }).click()
  await expect(due).toContainText('overdue')
  expect(
    await sent(async () => {
      await due.getByRole('button', { name: 'Done' }).click()
      await expect(due).toHaveCount(0)
    }),
  ).toEqual(done)
  const toast = page.getByRole('alert').filter({ hasText: `${task.name} done` })
  await toast.getByRole('button', { name: 'close' }).click()
  await expect(toast).toHaveCount(0)

  await openLog(page, log.url)
  const details = await openDetails(page, 'Chain')
  expect(
    await sent(async () => {
      await details.getByRole('button', { name: 'Done' }).click()
      await expect(toast).toBeVisible()
    }),
  ).toEqual(done)
})
