import type { Page } from '@playwright/test'
import { ROAD } from '../../sample/gear.ts'
import { expectAccessible } from './axe.ts'
import { expect, openMainScreen, signInOwner, test } from './fixtures.ts'

const lifetimes = (page: Page) => page.getByRole('region', { name: 'Lifetimes', exact: true })
const row = (page: Page, name: string) =>
  lifetimes(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name, exact: true }) })

test('shows the cost of each year, merges two spellings in the lifetimes, undoes it, and links to the parts', async ({
  page,
  sample,
}) => {
  const owner = await signInOwner(sample.url)
  const worn = { bikeId: ROAD, type: 'Saddle' }
  const { data } = await owner
    .from('maintenance')
    .insert([
      {
        ...worn,
        name: 'Merged saddle',
        dateStarted: '2022-01-01 01:00:00',
        dateEnded: '2023-01-01 01:00:00',
      },
      {
        ...worn,
        name: 'merged  SADDLE',
        dateStarted: '2023-01-01 01:00:00',
        dateEnded: '2024-01-01 01:00:00',
      },
      { ...worn, name: 'Mergd saddle', dateStarted: '2024-01-01 01:00:00', dateEnded: '2025-01-01 01:00:00' },
    ])
    .select('part_id')
  await owner
    .from('parts')
    .update({ kind: 'saddle' })
    .in(
      'id',
      data!.map(({ part_id }) => part_id),
    )

  await openMainScreen(page, `${sample.url}/#garage&tab=spending`)
  const spending = page.getByRole('region', { name: 'Spending', exact: true })
  await expect(spending).toContainText(/\$[\d,.]+ this year, \$[\d,.]+ by this date last year/)
  const chart = spending.getByRole('figure')
  const frame = chart.getByRole('button', { name: 'Frame', pressed: true })
  // The year with a new frame doesn't fit.
  const cut = chart.getByText('$3,511')
  await expect(cut).toBeVisible()
  await frame.press('Enter')
  await expect(chart.getByRole('button', { name: 'Frame', pressed: false })).toBeFocused()
  await expect(cut).toHaveCount(0)
  await chart.getByRole('button', { name: 'Frame', pressed: false }).click()
  await expect(cut).toBeVisible()
  await spending.getByText('Table').click()
  const years = spending.getByRole('table').filter({ has: page.getByRole('columnheader', { name: 'Year' }) })
  await expect(years.getByRole('row', { name: /^2023 / })).toContainText('$')
  await spending.getByRole('combobox', { name: 'Year' }).selectOption('2023')
  await expect(spending.getByRole('row', { name: /^Blue Domane \$/ })).toContainText('mi')

  await page.getByRole('tab', { name: 'Lifetimes' }).click()
  await lifetimes(page).getByRole('button', { name: 'Filters' }).click()
  await lifetimes(page).getByRole('combobox', { name: 'Type' }).selectOption('Saddle')
  await page.keyboard.press('Escape')
  await expect(lifetimes(page).getByRole('button', { name: 'Filters (1)' })).toBeVisible()
  await lifetimes(page)
    .getByRole('button', { name: /^Saddles · / })
    .click()
  const merged = row(page, 'merged SADDLE')
  await expect(merged).toContainText('2 worn out')
  await row(page, 'Mergd saddle').getByRole('button').click()
  await lifetimes(page).getByLabel('Merge with another name').selectOption({ label: 'merged SADDLE' })
  await lifetimes(page).getByRole('button', { name: 'Merge', exact: true }).click()
  await expect(merged).toContainText('3 worn out')
  await expect(row(page, 'Mergd saddle')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'Mergd saddle')).toBeVisible()
  await expect(merged).toContainText('2 worn out')

  await row(page, 'Mergd saddle')
    .getByRole('link', { name: /^Mergd saddle/ })
    .click()
  const details = page.getByRole('region', { name: 'Details of Mergd saddle' })
  await expect(details.getByRole('region', { name: 'Cost' })).toContainText('Per 1,000 mi')
})

test('opens a kind of part by keyboard, from a link and on paper', async ({ page, sample }) => {
  await openMainScreen(page, `${sample.url}/#garage&tab=lifetimes`)
  const line = (name: string) => lifetimes(page).getByRole('button', { name: new RegExp(`^${name} · `) })
  const chains = page.getByRole('region', { name: 'Chains' })
  const isOpen = (name: string, expanded: boolean) =>
    expect(line(name)).toHaveAttribute('aria-expanded', String(expanded))
  const chart = chains.getByRole('group', { name: 'Lifetimes of Shimano CN-HG701 chain' })
  await isOpen('Chains', false)
  await expect(chart).toBeHidden()

  await line('Chains').press('Enter')
  await isOpen('Chains', true)
  await isOpen('Cassettes', false)
  await expect(chains).toContainText(
    /Longest: Shimano CN-HG701 chain, about [\d,]+\smi\. Too few worn-out parts to say which costs least\./,
  )
  await chart.getByRole('link').first().click()
  await page
    .getByRole('region', { name: 'Details of Shimano CN-HG701 chain' })
    .getByRole('link', { name: 'Others like it' })
    .click()
  await isOpen('Chains', true)
  await expect(chart).toBeInViewport()
  await line('Chains').press('Enter')
  await isOpen('Chains', false)
  await expect(page).toHaveURL(/#garage&tab=lifetimes$/)

  // A link also leads to a kind without a worn-out part, which is hidden at first.
  await expect(line('Saddles')).toHaveCount(0)
  await page.goto(`${sample.url}/#garage&tab=lifetimes&kind=saddle`)
  await isOpen('Saddles', true)
  await expectAccessible(page, [1440])

  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('group', { name: 'Lifetimes of Cassette 11-30' })).toBeVisible()
  await expect(chart).toBeVisible()
})
