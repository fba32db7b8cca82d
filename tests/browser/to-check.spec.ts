import { COMMUTER } from '../../sample/gear.ts'
import { expect, openMainScreen, signInOwner, test } from './fixtures.ts'

test('explains what looks wrong, links to where it can be fixed, and undoes a dismissal', async ({
  page,
  sample,
}) => {
  const owner = await signInOwner(sample.url)
  const added = await owner
    .from('maintenance')
    .insert({
      bikeId: COMMUTER,
      type: 'Drivetrain',
      name: 'Overlapping chain',
      dateStarted: '2024-05-01 01:00:00',
      dateEnded: '2024-07-01 01:00:00',
    })
    .select('part_id')
    .single()
  await owner.from('parts').update({ kind: 'chain' }).eq('id', added.data!.part_id)

  await openMainScreen(page, sample.url)
  const section = page.getByRole('region', { name: 'To check', exact: true })
  const line = section.getByRole('listitem').filter({ hasText: 'Two chains at the same time: 61 days' })
  await expect(line).toContainText('Surly Cross-Check, 05/01/2024 – 07/01/2024')
  await expect(line).toContainText('“Overlapping chain”')
  const spike = section.getByRole('listitem').filter({ hasText: '108.0 mph' })
  await expect(spike).toContainText('likely a GPS error')
  await expect(spike.getByRole('link', { name: /^Open: .+ on Ride with GPS$/ })).toHaveAttribute(
    'href',
    /\/trips\/\d+$/,
  )

  await line.getByRole('button', { name: /^Dismiss/ }).click()
  await expect(line).toHaveCount(0)
  await expect(section.getByRole('button', { name: /^Dismiss: \d+ rides have no bike$/ })).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(line).toBeVisible()

  await line.getByRole('link', { name: /^Open second/ }).click()
  await expect(page.getByRole('region', { name: 'Details of Overlapping chain' })).toBeVisible()
})
