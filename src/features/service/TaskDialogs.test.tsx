// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createStore, Provider } from 'jotai'
import { expect, test, vi } from 'vitest'

import { fakeDialogs } from '../../components/fake-dialogs.ts'
import { recordToasts } from '../../components/record-toasts.ts'
import { backendAtom } from '../../lib/backend.ts'
import { fakeBackend } from '../../lib/fake-backend.ts'
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
  const sent: unknown[] = []
  const { backend } = fakeBackend(({ path, body }) => {
    if (!/add_service_task|edit_row/.test(path)) return Response.json([])
    sent.push(body)
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
        <AddTaskDialog owner={owner} gearId={7} onClose={onClose} />
      )}
    </Provider>,
  )
  return { sent, onClose, closed: () => waitFor(() => expect(onClose).toHaveBeenCalledOnce()) }
}

const TASK = { id: 1, gear_id: 7, name: 'Wax', kind: 'service', outdoor_only: false } as Task
const conflict = (code: string, stored: object) =>
  Response.json({ code, message: '', stored }, { status: 409 })

test('shows the version saved earlier, keeps the form, and saves the changes in its place', async () => {
  const limits = { every_distance: 482_700, every_moving_time: null, every_days: null, outdoor_only: false }
  const stored = { tasks: [{ name: 'Wax', ...limits }], events: [{ done_at: '2024-03-01T01:00:00' }] }
  const { sent, onClose, closed } = open((count) =>
    count === 1 ? conflict('RMT07', stored) : Response.json({ ...stored, successor: null }),
  )
  await type('Task', 'Wax')
  await type('Every miles', '500')
  await press('Save task')
  await screen.findByText(
    'An earlier version was saved: Wax, every 300 mi, last done 03/01/2024. Your changes are not saved yet.',
  )
  expect(field('Every miles').value).toBe('500')
  expect(onClose).not.toHaveBeenCalled()

  await press('Save changes')
  await closed()
  const { request_key } = (sent[0] as { task: { request_key: string } }).task
  expect(sent[1]).toMatchObject({ task: { every_distance: 804_500 }, instead_of: request_key })
})

test('shows a value that was changed elsewhere, and replaces only that value when saved again', async () => {
  const stored = { name: 'Wax', every_distance: 804_500, every_days: 90 }
  const { sent, onClose, closed } = open(
    (count) => (count === 1 ? conflict('RMT31', stored) : Response.json({ change: 'a', row: stored })),
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
  expect(sent).toMatchObject([
    { shown: { every_distance: 482_700 }, wanted },
    { shown: { every_distance: 804_500 }, wanted },
  ])
  for (const edit of sent as { wanted: object }[])
    expect(Object.keys(edit.wanted)).toEqual(['every_distance'])
})

test('sends every value after a save that may have succeeded, so the shown one is not lost when typed again', async () => {
  const limits = { every_distance: null, every_moving_time: null, every_days: 30 }
  const stored = { name: 'Drip wax', kind: 'service', outdoor_only: false, ...limits }
  const { sent, closed } = open(
    (count) => {
      // A lost write is repeated once.
      if (count <= 2) throw new TypeError('Failed to fetch')
      return count === 3 ? conflict('RMT31', stored) : Response.json({ change: 'a', row: stored })
    },
    { every: { distance: null, moving_time: null, days: 30 } },
  )
  await saveAs('Drip wax')
  await screen.findByText(/^The connection dropped/)
  await saveAs('Wax')
  await screen.findByText('It has changed since: Task Wax → Drip wax. Save again to replace this.')
  await saveAs('Wax')
  await closed()
  expect(sent.slice(2)).toMatchObject([
    { shown: { name: 'Wax', every_days: 30 }, wanted: { name: 'Wax', every_days: 30, kind: 'service' } },
    { shown: { name: 'Drip wax' }, wanted: { name: 'Wax' } },
  ])
})

test('says that a task went to the part that has replaced its part', async () => {
  const { closed } = open(() => Response.json({ successor: { name: 'KMC X11' } }))
  await type('Task', 'Wax')
  await type('Every days', '30')
  await press('Save task')
  await closed()
  expect(toasts.done).toEqual(['“Wax” was added to “KMC X11”, which has replaced “Chain”.'])
})
