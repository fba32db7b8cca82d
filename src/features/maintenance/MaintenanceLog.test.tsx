// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'

import { ITEM, setUpLog } from './fake-log.ts'
import type { Item } from './fields.ts'
import { MaintenanceLog } from './MaintenanceLog.tsx'

// Loaded first, so its loading time doesn't count toward a test's timeout.
beforeAll(async () => void (await import('../../components/Calendar.tsx')), 20_000)
beforeEach(() => {
  sessionStorage.clear()
  // jsdom does not implement scrolling.
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const WORN: Item = { ...ITEM, id: 2, name: 'Old chain', dateEnded: '2024-01-10T01:00:00' }

function rows() {
  return within(screen.getAllByRole('rowgroup')[1] ?? document.body).getAllByRole('row')
}

function editor(label: string, row = 0) {
  return within(rows()[row] ?? document.body).getByLabelText(label, { exact: true })
}

async function open(items: Item[] = [ITEM, WORN]) {
  const log = setUpLog(items)
  const user = userEvent.setup()
  render(
    <Provider store={log.store}>
      <MaintenanceLog gearId={7} />
    </Provider>,
  )
  await screen.findByRole('table')
  return { ...log, user }
}

async function type(user: ReturnType<typeof userEvent.setup>, editor: HTMLElement, text: string) {
  await user.clear(editor)
  await user.type(editor, text)
}

test('shows the columns, the items, the new row and the total', async () => {
  await open()
  const headers = screen.getAllByRole('columnheader').map((header) => header.textContent)
  expect(headers).toEqual([
    'Type',
    'Name',
    'Description',
    'Cost',
    'Start',
    'End',
    'Use Miles',
    'Use Time',
    'Delete',
  ])
  expect(rows()).toHaveLength(3)
  expect(editor('Cost')).toHaveProperty('value', '$45.00')
  expect(editor('Start')).toHaveProperty('value', '01/10/2024')
  expect(screen.getByPlaceholderText('+ Add New Maintenance').closest('tr')).toBe(rows()[2])
  expect(screen.getAllByRole('row').at(-1)?.textContent).toBe('Total Cost:$90.00')
})

test('renders every row in a window without height', async () => {
  vi.stubGlobal('innerHeight', 0)
  await open()
  await waitFor(() => expect(rows()).toHaveLength(3))
})

test.each([{ isComposing: true }, { keyCode: 229 }])(
  'ignores keys during composition (%o)',
  async (composing) => {
    const { user, writes } = await open()
    await type(user, editor('Name'), 'チ')
    for (const key of ['Enter', 'Escape', 'ArrowDown', 'ArrowUp'])
      fireEvent.keyDown(editor('Name'), { key, ...composing })
    expect(editor('Name')).toHaveProperty('value', 'チ')
    expect(document.activeElement).toBe(editor('Name'))
    expect(writes()).toEqual([])
  },
)

test.each(['Name', 'Description', 'Cost'])(
  'an empty %s is red and disables SAVE with a reason',
  async (label) => {
    const { user } = await open()
    await user.clear(editor(label))
    expect(editor(label).closest('td')?.dataset['dirty']).toBe('true')
    const save = screen.getByRole('button', { name: 'SAVE' })
    expect(save).toHaveProperty('disabled', true)
    expect(document.getElementById(save.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Enter a value.',
    )
  },
)

test('a description emptied by typing can still be cleared', async () => {
  const { user } = await open([ITEM])
  await user.clear(editor('Description'))
  await user.click(screen.getByRole('button', { name: 'Clear description' }))
  expect(screen.getByRole('button', { name: 'SAVE' })).toHaveProperty('disabled', false)
  await user.keyboard('{Escape}')
  expect(editor('Description')).toHaveProperty('value', 'KMC')
})

test('Type offers the eight types and an empty option', async () => {
  await open()
  const options = within(editor('Type'))
    .getAllByRole('option')
    .map((option) => option.textContent)
  expect(options).toEqual([
    '',
    'Frame',
    'Wheels',
    'Pedals',
    'Tires',
    'Drivetrain',
    'Brakes',
    'Handlebar',
    'Saddle',
  ])
})

test('Escape first closes the calendar, then restores the date', async () => {
  const { user } = await open()
  await type(user, editor('Start'), '1/9/2024')
  await screen.findByRole('dialog', { name: /Choose Date/ })
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(editor('Start')).toHaveProperty('value', '1/9/2024')
  await user.keyboard('{Escape}')
  expect(editor('Start')).toHaveProperty('value', '01/10/2024')
})

test('a date chosen in the calendar by keyboard is saved by the next Enter', async () => {
  const { user, log, writes } = await open()
  await user.click(editor('Start'))
  await screen.findByRole('dialog', { name: /Choose Date/ })
  await user.keyboard('{ArrowDown}{ArrowLeft}{Enter}')
  expect(editor('Start')).toHaveProperty('value', '01/09/2024')
  expect(writes()).toEqual([])
  expect(document.activeElement).toBe(editor('Start'))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(log[0]?.dateStarted).toBe('2024-01-09 01:00:00'))
})
