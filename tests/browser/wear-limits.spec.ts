import type { Locator } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { expect, openMainScreen } from './fixtures.ts'
import { BIKE, test } from './log-page.ts'

const NAME = 'KMC X11 chain'
const TITLE = 'Chain at 0.5%'
const TEN_DAYS_AGO = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10)

const rightEdges = async (buttons: Locator) => [
  ...new Set(
    await buttons.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right))),
  ),
]

test('a part that wears stands in Upcoming, and after a reading of its limit in Due, with what to do', async ({
  page,
  log,
}) => {
  const id = await log.add({ name: NAME, kind: 'chain', type: 'Drivetrain' })
  const { data } = await log.owner.from('maintenance').select('part_id').eq('id', id).single()
  const reading = { measured_on: TEN_DAYS_AGO, value: 0.3, unit: 'chain %', tool: 'CC-4' }
  await log.owner.from('wear_measurements').insert({ ...reading, part_id: data!.part_id })
  await openMainScreen(page, `${new URL(log.url).origin}/#garage`)
  const section = (name: string) => page.getByRole('region', { name, exact: true })
  const upcoming = section('Upcoming')
  await upcoming.getByRole('button', { name: /^Show \d+ more$/ }).click()
  const line = upcoming.getByRole('listitem').filter({ hasText: TITLE })
  await expect(line).toContainText(new RegExp(`${TITLE} · ${NAME}.*${BIKE}.*in [\\d,]+ mi`))
  await expect(section('Due').getByText(TITLE)).toHaveCount(0)

  await line.getByRole('button', { name: 'Measure' }).click()
  await expect(page).toHaveURL(`${log.url}&item=${id}&form=measure`)
  const dialog = page.getByRole('dialog', { name: 'Add measurement' })
  await expect(dialog).toContainText(NAME)
  await dialog.getByLabel('Value').fill('0.55')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(`${log.url}&item=${id}`)
  const due = page.getByRole('list', { name: 'Due on this bike' })
  const onBike = due.getByRole('listitem').filter({ hasText: `${NAME}: chain at 0.5% worn since` })
  await expect(onBike.getByRole('button', { name: 'Replace' })).toBeVisible()

  await page.getByRole('button', { name: 'Garage' }).click()
  const worn = section('Due').getByRole('listitem').filter({ hasText: TITLE })
  await expect(worn).toContainText('worn since')
  await worn.getByRole('button', { name: 'Choices' }).click()
  await expect(worn.getByRole('group', { name: TITLE }).getByRole('button')).toHaveText([
    'Replace…',
    'Measure…',
  ])
  await expect(upcoming.getByText(TITLE)).toHaveCount(0)
  await expectAccessible(page)
  const arrows = section('Due').getByRole('button', { name: 'Choices' })
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 812 })
    await expect.poll(() => rightEdges(arrows)).toHaveLength(1)
  }
  await page.keyboard.press('Escape')
  await worn.getByRole('button', { name: 'Replace', exact: true }).click()
  await expect(page).toHaveURL(`${log.url}&item=${id}&form=replace`)
  await expect(page.getByRole('row', { name: `Replace ${NAME}` }).or(page.getByRole('dialog'))).toBeVisible()
})
