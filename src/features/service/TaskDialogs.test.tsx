// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createStore, Provider } from 'jotai'
import { expect, test, vi } from 'vitest'

import { fakeDialogs } from '../../components/fake-dialogs.ts'
import { recordToasts } from '../../components/record-toasts.ts'
import { backendAtom } from '../../lib/backend.ts'
import { type Command, fakeBackend, GATE, written } from '../../lib/fake-backend.ts'
import type { Task } from './api.ts'
import { AddTaskDialog, EditTaskDialog } from './TaskDialogs.tsx'

const toasts = recordToasts()

fakeDialogs()

const user = userEvent.setup()
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
async function type(label: string, text: string) {
  await user.clear(field(label))
  await user.type(field(label), text)
}
const press = (name: string) => user.click(screen.getByRole('button', { name }))
async function saveAs(name: string) {
  await type('Task', name)
  await press('Save task')
}

/** Opens a dialog to add a task, or to edit `task`. `respond` answers its saves, which are in `sent`. */
function open(respond: (count: number) => Response, task?: object) {
  const sent: Command[] = []
  const { backend } = fakeBackend(({ path, body }) => {
    if (path !== GATE) return Response.json([])
    sent.push(body as Command)
    return respond(sent.length)
  })
  const store = createStore()
  store.set(backendAtom, backend)
  const onClose = vi.fn<() => void>()
  const owner = { part_id: 1, name: 'Chain', type: 'Drivetrain' }
  render(
    <Provider store={store}>
      {task ? (
        <EditTaskDialog task={{ ...TASK, ...task }} onClose={onClose} />
      ) : (
        <AddTaskDialog owner={owner} onClose={onClose} />
      )}
    </Provider>,
  )
  return { sent, onClose, closed: () => waitFor(() => expect(onClose).toHaveBeenCalledOnce()) }
}

const TASK = { id: 1, gear_id: 7, name: 'Wax', kind: 'service', outdoor_only: false } as Task
const conflict = (code: string, stored: object) =>
  Response.json({ code, message: '', stored }, { status: 409 })

const added = (successor: object | null) => written({ tasks: [{}], events: null, successor }, 'a')

test('says that an earlier version was saved, keeps the form, and replaces that version', async () => {
  const stored = { answer: {}, change: 'earlier' }
  const { sent, onClose, closed } = open((count) =>
    count === 1
      ? conflict('RMT07', stored)
      : count === 2
        ? written({ restored: 1, conflicts: [] }, 'undo')
        : added(null),
  )
  await type('Task', 'Wax')
  await type('Every miles', '500')
  await press('Save task')
  await screen.findByText('“Wax” was not added. An earlier version was saved. Save again to replace it.')
  expect(field('Every miles').value).toBe('500')
  expect(onClose).not.toHaveBeenCalled()

  await press('Save task')
  await closed()
  expect(sent).toMatchObject([
    { command: 'add_task' },
    { command: 'undo', arguments: { change: 'earlier' } },
    { command: 'add_task', arguments: { task: { every_distance: 804_500 } } },
  ])
  expect(sent[2]!.key).not.toBe(sent[0]!.key)
})

test('shows a value that was changed elsewhere, and replaces only that value when saved again', async () => {
  const stored = { name: 'Wax', every_distance: 804_500, every_days: 90 }
  const { sent, onClose, closed } = open(
    (count) => (count === 1 ? conflict('RMT31', stored) : written({ row: stored }, 'a')),
    { every: { distance: 482_700, moving_time: null, days: 30 } },
  )
  await type('Every miles', '400')
  await press('Save task')
  await screen.findByText('It has changed since: Every 300.0 mi → 500.0 mi. Save again to replace this.')
  expect(field('Every miles').value).toBe('400')
  expect(onClose).not.toHaveBeenCalled()

  await press('Save task')
  await closed()
  const wanted = { every_distance: 643_600 }
  expect(sent.map((call) => call.arguments)).toEqual([
    expect.objectContaining({
      shown: expect.objectContaining({ every_distance: 482_700 }) as object,
      wanted,
    }),
    expect.objectContaining({
      shown: expect.objectContaining({ every_distance: 804_500 }) as object,
      wanted,
    }),
  ])
})

test('keeps the key of a save that may have succeeded, and replaces that save if other values follow', async () => {
  const stored = { answer: {}, change: 'earlier' }
  const { sent, closed } = open(
    (count) => {
      // A lost write is repeated once.
      if (count <= 2) throw new TypeError('Failed to fetch')
      return count === 3 ? conflict('RMT07', stored) : written({ row: {}, restored: 1, conflicts: [] }, 'a')
    },
    { every: { distance: null, moving_time: null, days: 30 } },
  )
  await saveAs('Drip wax')
  await screen.findByText(/The connection dropped/)
  await saveAs('Hot wax')
  await screen.findByText(/An earlier version was saved/)
  await press('Save task')
  await closed()
  const [first, again, other, undo, last] = sent
  expect([again, other!.key, undo!.arguments]).toEqual([first, first!.key, { change: 'earlier' }])
  expect(last).toMatchObject({ arguments: { shown: { name: 'Wax' }, wanted: { name: 'Hot wax' } } })
  expect(last!.key).not.toBe(first!.key)
})

test('says that a task went to the part that has replaced its part', async () => {
  const { closed } = open(() => added({ name: 'KMC X11' }))
  await type('Task', 'Wax')
  await type('Every days', '30')
  await press('Save task')
  await closed()
  expect(toasts.offers).toMatchObject([
    { message: '“Wax” was added to “KMC X11”, which has replaced “Chain”.', label: 'Undo' },
  ])
})
