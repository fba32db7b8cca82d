import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import type { Item } from './api.ts'
import { ITEM, setUpLog } from './fake-log.ts'
import { MaintenanceLog } from './MaintenanceLog.tsx'

// Loaded beforehand: what is tested is not how fast it loads.
beforeAll(async () => void (await import('../../components/Calendar.tsx')), 20_000)
beforeEach(() => {
  sessionStorage.clear()
  // jsdom has no layout, and so nothing to scroll.
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

function cell(label: string) {
  return editor(label).closest('td')
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

test('the log is a table with the columns in their order, its items, the new-row line and the total', async () => {
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

test('the log is complete in a tab that has no height yet', async () => {
  vi.stubGlobal('innerHeight', 0)
  await open()
  await waitFor(() => expect(rows()).toHaveLength(3))
})

describe('a cell', () => {
  test('is red and has SAVE while changed, and neither when it is set back by hand', async () => {
    const { user } = await open()
    await user.type(editor('Name'), 's')
    expect(cell('Name')?.dataset['dirty']).toBe('true')
    expect(screen.getByRole('button', { name: 'SAVE' })).toBeTruthy()
    await user.type(editor('Name'), '{Backspace}')
    expect(cell('Name')?.dataset['dirty']).toBeUndefined()
    expect(screen.queryByRole('button', { name: 'SAVE' })).toBeNull()
  })

  test('is saved by Enter, and the keyboard stays where it is', async () => {
    const { user, log } = await open()
    await type(user, editor('Name'), 'KMC{Enter}')
    await waitFor(() => expect(cell('Name')?.dataset['dirty']).toBeUndefined())
    expect(log[0]?.name).toBe('KMC')
    expect(document.activeElement).toBe(editor('Name'))
  })

  test.each([{ isComposing: true }, { keyCode: 229 }])(
    'is neither saved nor restored nor left while a word is composed (%o)',
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

  test('is saved by SAVE, which leaves the keyboard in the editor', async () => {
    const { user, log } = await open()
    await type(user, editor('Cost'), '50')
    await user.click(screen.getByRole('button', { name: 'SAVE' }))
    await waitFor(() => expect(log[0]?.cost).toBe(50))
    expect(document.activeElement).toBe(editor('Cost'))
  })

  test('goes back to the stored value on Escape', async () => {
    const { user, writes } = await open()
    await type(user, editor('Description'), 'other{Escape}')
    expect(editor('Description')).toHaveProperty('value', 'KMC')
    expect(writes()).toEqual([])
  })

  test('is never saved by leaving it', async () => {
    const { user, writes } = await open()
    await type(user, editor('Name'), 'KMC')
    await user.tab()
    await user.click(document.body)
    expect(cell('Name')?.dataset['dirty']).toBe('true')
    expect(writes()).toEqual([])
  })

  test.each(['Name', 'Description', 'Cost'])(
    '%s that was emptied is red, and SAVE is disabled with a reason',
    async (label) => {
      const { user } = await open()
      await user.clear(editor(label))
      expect(cell(label)?.dataset['dirty']).toBe('true')
      const save = screen.getByRole('button', { name: 'SAVE' })
      expect(save).toHaveProperty('disabled', true)
      expect(document.getElementById(save.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
        'Enter a value.',
      )
    },
  )

  test('of a description can be cleared, as a draft that SAVE writes', async () => {
    const { user, log } = await open([ITEM, { ...WORN, description: null }])
    expect(screen.getAllByRole('button', { name: 'Clear description' })).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'Clear description' }))
    expect(editor('Description')).toHaveProperty('value', '')
    expect(document.activeElement).toBe(editor('Description'))
    expect(log[0]?.description).toBe('KMC')
    await user.click(screen.getByRole('button', { name: 'SAVE' }))
    await waitFor(() => expect(log[0]?.description).toBeNull())
    expect(cell('Description')?.dataset['dirty']).toBeUndefined()
  })

  test('of a description that was emptied by typing can still be cleared', async () => {
    const { user } = await open([ITEM])
    await user.clear(editor('Description'))
    await user.click(screen.getByRole('button', { name: 'Clear description' }))
    expect(screen.getByRole('button', { name: 'SAVE' })).toHaveProperty('disabled', false)
    await user.keyboard('{Escape}')
    expect(editor('Description')).toHaveProperty('value', 'KMC')
  })

  test('that was changed elsewhere shows both values, and lets the owner choose', async () => {
    const { user, log } = await open()
    await type(user, editor('Name'), 'Mine')
    log[0]!.name = 'Theirs'
    await user.keyboard('{Enter}')
    await waitFor(() => expect(cell('Name')?.textContent).toContain('Changed elsewhere to “Theirs”.'))
    expect(editor('Name')).toHaveProperty('value', 'Mine')
    await user.click(screen.getByRole('button', { name: 'Discard my change' }))
    expect(editor('Name')).toHaveProperty('value', 'Theirs')
    expect(document.activeElement).toBe(editor('Name'))
    expect(log[0]?.name).toBe('Theirs')
  })

  test('of a type offers none and the eight, and can be cleared', async () => {
    const { user, log } = await open([{ ...ITEM, type: 'Tires' }])
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
    await user.selectOptions(editor('Type'), '')
    await user.click(screen.getByRole('button', { name: 'SAVE' }))
    await waitFor(() => expect(log[0]?.type).toBeNull())
  })
})

describe('a date', () => {
  test('is saved by one press of Enter', async () => {
    const { user, log } = await open()
    await type(user, editor('Start'), '1/9/2024{Enter}')
    await waitFor(() => expect(log[0]?.dateStarted).toBe('2024-01-09 01:00:00'))
  })

  test('that is none stays, is marked with a sentence, and Enter does nothing', async () => {
    const { user, writes } = await open()
    await type(user, editor('Start'), '02/30/2024{Enter}')
    expect(editor('Start')).toHaveProperty('value', '02/30/2024')
    expect(editor('Start').getAttribute('aria-invalid')).toBe('true')
    expect(cell('Start')?.textContent).toContain('Enter a date as MM/DD/YYYY.')
    expect(writes()).toEqual([])
  })

  test('keeps what is typed when Escape closes the calendar, and is restored by the next one', async () => {
    const { user } = await open()
    await type(user, editor('Start'), '1/9/2024')
    await screen.findByRole('dialog', { name: /Choose Date/ })
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(editor('Start')).toHaveProperty('value', '1/9/2024')
    await user.keyboard('{Escape}')
    expect(editor('Start')).toHaveProperty('value', '01/10/2024')
  })

  test('picked from the calendar by keyboard is only typed, and then saved by Enter', async () => {
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

  test('of an end can be cleared, as a draft that SAVE writes; one that is open has nothing to clear', async () => {
    const { user, log } = await open()
    expect(screen.getAllByRole('button', { name: 'Clear End' })).toHaveLength(1)
    await user.click(within(rows()[1] ?? document.body).getByRole('button', { name: 'Clear End' }))
    expect(editor('End', 1)).toHaveProperty('value', '')
    expect(log[1]?.dateEnded).not.toBeNull()
    await user.click(screen.getByRole('button', { name: 'SAVE' }))
    await waitFor(() => expect(log[1]?.dateEnded).toBeNull())
  })
})

describe('the new-row line', () => {
  test('is reached by +ADD ROW, and says what it needs', async () => {
    const { user, writes } = await open()
    await user.click(screen.getByRole('button', { name: '+ADD ROW' }))
    expect(document.activeElement).toBe(screen.getByPlaceholderText('+ Add New Maintenance'))
    await user.keyboard('{Enter}')
    expect(rows()[2]?.textContent).toContain('Enter a name first.')
    expect(writes()).toEqual([])
  })

  test('becomes a record by Enter, and is empty again', async () => {
    const { user, log } = await open()
    const name = screen.getByPlaceholderText('+ Add New Maintenance')
    await user.type(name, 'Saddle bag{Enter}')
    await waitFor(() => expect(rows()).toHaveLength(4))
    expect(log.at(-1)?.name).toBe('Saddle bag')
    expect(screen.getByPlaceholderText('+ Add New Maintenance')).toHaveProperty('value', '')
  })
})

test('arrow keys go to the next cell from the end of a text, and down a column', async () => {
  const { user } = await open()
  await user.click(editor('Name'))
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(editor('Name', 1))
  await user.keyboard('{ArrowRight}')
  expect(document.activeElement).toBe(editor('Description', 1))
  await user.keyboard('{ArrowRight}{ArrowLeft}')
  expect(document.activeElement).toBe(editor('Description', 1))
})
