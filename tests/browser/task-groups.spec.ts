import type { Locator } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { bikes, openMainScreen } from './fixtures.ts'
import { BIKE, expect, test } from './log-page.ts'

// The tasks count days from a fixed day.
test.use({ viewport: { width: 390, height: 844 }, timezoneId: 'UTC' })

test('sealant on all tires takes few taps, a task that is done once names another, and both survive a reload', async ({
  page,
  log,
}) => {
  const { owner } = log
  const tires = { type: 'Tires', kind: 'tire' } as const
  await log.add({ ...tires, name: 'Ridge, front', position: 'front' })
  await log.add({ ...tires, name: 'Ridge, rear', position: 'rear' })
  await openMainScreen(page, new URL(log.url).origin)
  let taps = 0
  const tap = async (target: Locator) => {
    taps += 1
    await target.click()
  }
  const form = page.getByRole('dialog', { name: 'Add service task' })
  const parts = form.getByRole('group', { name: 'For' })
  const addTask = page
    .getByRole('dialog', { name: 'Ridge, rear' })
    .getByRole('button', { name: 'Add service task' })

  await test.step('all tires of all bikes', async () => {
    await tap(bikes(page).getByRole('button', { name: BIKE, exact: true }))
    await tap(page.getByRole('button', { name: 'Details of Ridge, rear' }))
    await tap(addTask)
    await tap(form.getByRole('button', { name: 'Top up sealant' }))
    await tap(parts.getByRole('button', { name: /^All tires/ }))
    await expect(form).toContainText(/Next in 90 days, .*on \d tires\. One line in Due/)
    expect(await axeViolations(page)).toEqual([])
  })

  await test.step('the form after a reload', async () => {
    await page.reload()
    await addTask.click()
    await expect(parts.getByRole('button', { name: /^All tires/ })).toHaveAttribute('aria-pressed', 'true')
    await expect(form.getByLabel('Every days')).toHaveValue('90')
    await parts.getByRole('button', { name: `${BIKE} (2)` }).click()
    await expect(form.getByRole('checkbox', { name: 'Ridge, front' })).toBeChecked()
    await tap(form.getByRole('button', { name: 'Save 2 tasks' }))
    expect(taps).toBeLessThanOrEqual(8)
    await expect(page.getByText('“Top up sealant” was added to 2 parts.')).toBeVisible()
    await expect(form).toBeHidden()
  })

  await test.step('a task that is done once, with the next Done of another', async () => {
    await addTask.click()
    await expect(form.getByLabel('Task')).toHaveValue('')
    await form.getByLabel('Task').fill('Check the valves')
    await form.getByRole('radio', { name: 'Once' }).check()
    await expect(form.getByLabel('Every days')).toHaveCount(0)
    await form.getByRole('button', { name: 'Save task' }).click()
    await expect(form).toContainText('Enter at least one limit')
    await form.getByLabel('With the next').selectOption('Top up sealant, 2 tires')
    await expect(form).toContainText('Next with Top up sealant')
    expect(await axeViolations(page)).toEqual([])
    await form.getByRole('button', { name: 'Save task' }).click()
    await expect(form).toBeHidden()
    const { data } = await owner
      .from('service_tasks')
      .select('once, every_days')
      .eq('name', 'Check the valves')
    expect(data).toEqual([{ once: true, every_days: null }])
  })

  const tasks = owner.from('service_tasks')
  const { error } = await tasks.update({ counted_from: '2024-05-01' }).eq('name', 'Top up sealant')
  expect(error).toBeNull()
  await openMainScreen(page, new URL(log.url).origin)
  const line = page
    .getByRole('region', { name: 'Due', exact: true })
    .getByRole('listitem')
    .filter({ hasText: 'Top up sealant' })
  await expect(line).toContainText('2 tires')

  await test.step('Done of both, and of what waited for it', async () => {
    await line.getByRole('button', { name: 'Done', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Top up sealant done' })
    await expect(dialog.getByRole('checkbox', { name: 'Check the valves' })).toBeChecked()
    await dialog.getByRole('button', { name: 'Done on 3' }).click()
    await expect(page.getByText('Top up sealant done: 2 tires')).toBeVisible()
  })

  await test.step('one leaves the group', async () => {
    await page.goto(log.url)
    await page.getByRole('button', { name: 'Details of Ridge, rear' }).click()
    await page.getByRole('button', { name: 'Edit Top up sealant', exact: true }).click()
    const edit = page.getByRole('dialog', { name: 'Edit service task' })
    await edit.getByRole('radio', { name: 'This one' }).check()
    await edit.getByRole('checkbox', { name: 'One line and one Done' }).uncheck()
    expect(await axeViolations(page)).toEqual([])
    await edit.getByRole('button', { name: 'Save task' }).click()
    await expect(edit).toBeHidden()
    const { data } = await owner
      .from('service_tasks')
      .select('group')
      .eq('name', 'Top up sealant')
      .order('id')
    expect(data!.filter(({ group }) => group === null)).toHaveLength(1)
  })
})
