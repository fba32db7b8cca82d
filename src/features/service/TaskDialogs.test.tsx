// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createStore, Provider } from 'jotai'
import { expect, test, vi } from 'vitest'

import { fakeDialogs } from '../../components/fake-dialogs.ts'
import { recordToasts } from '../../components/record-toasts.ts'
import { backendAtom } from '../../lib/backend.ts'
import { type Command, fakeBackend, GATE, written } from '../../lib/fake-backend.ts'
import { ITEM } from '../entries/fake-item.ts'
import type { Task } from './api.ts'
import { AddTaskDialog } from './AddTaskDialog.tsx'
import { EditTaskDialog } from './EditTaskDialog.tsx'

const toasts = recordToasts()

fakeDialogs()

const user = userEvent.setup()
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
async function type(label: string, text: string) {
  await user.clear(field(label))
  await user.type(field(label), text)
}
const press = (name: string) => user.click(screen.getByRole('button', { name }))
/** Opens a dialog to add a task, or to edit `task`. `respond` answers its saves, which are in `sent`. */
function open(respond: (count: number) => Response, task?: object) {
  const sent: Command[] = []
  const { backend } = fakeBackend(({ path, body }) => {
    if (path !== GATE) return Response.json({ tasks: [], limits: [] })
    sent.push(body as Command)
    return respond(sent.length)
  })
  const store = createStore()
  store.set(backendAtom, backend)
  const onClose = vi.fn<() => void>()
  const owner = { part_id: 1, name: 'Chain', part: { ...ITEM, type: 'Drivetrain', kind: null }, bikeId: 7 }
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

const TASK = {
  id: 1,
  gear_id: 7,
  name: 'Wax',
  kind: 'service',
  outdoor_only: false,
  once: false,
  due_on: null,
  with_task: null,
  group: null,
} as Task
const conflict = (code: string, stored: object) =>
  Response.json({ code, message: '', stored }, { status: 409 })

const added = (successor: object | null) => written({ tasks: [{}], events: null, successor }, 'a')

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
