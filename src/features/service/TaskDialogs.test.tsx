// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createStore, Provider } from 'jotai'
import { afterEach, expect, test, vi } from 'vitest'

import { fakeDialogs } from '../../components/fake-dialogs.ts'
import { recordToasts } from '../../components/record-toasts.ts'
import { backendAtom } from '../../lib/backend.ts'
import { fakeBackend } from '../../lib/fake-backend.ts'
import type { Task } from './api.ts'
import { AddTaskDialog, EditTaskDialog } from './TaskDialogs.tsx'

const toasts = recordToasts()

fakeDialogs()
afterEach(cleanup)

test('shows the version saved earlier, keeps the form, and saves the changes in its place', async () => {
  const user = userEvent.setup()
  const stored = {
    tasks: [
      {
        name: 'Wax',
        every_distance: 482_700,
        every_moving_time: null,
        every_days: null,
        outdoor_only: false,
      },
    ],
    events: [{ done_at: '2024-03-01T01:00:00' }],
  }
  const sent: { task: { request_key: string; every_distance: number }; instead_of?: string }[] = []
  const { backend } = fakeBackend(({ path, body }) => {
    if (!path.endsWith('/rpc/add_service_task')) return Response.json([])
    sent.push(body as (typeof sent)[number])
    return sent.length === 1
      ? Response.json({ code: 'RMT07', message: '', stored }, { status: 409 })
      : Response.json({ ...stored, successor: null })
  })
  const store = createStore()
  store.set(backendAtom, backend)
  const onClose = vi.fn<() => void>()
  render(
    <Provider store={store}>
      <AddTaskDialog owner={{ part_id: 1, name: 'Chain', type: 'Drivetrain' }} gearId={7} onClose={onClose} />
    </Provider>,
  )
  await user.type(screen.getByLabelText('Task'), 'Wax')
  await user.type(screen.getByLabelText('Every miles'), '500')
  await user.click(screen.getByRole('button', { name: 'Save task' }))
  expect((await screen.findByText(/^An earlier version/)).textContent).toBe(
    'An earlier version was saved: Wax, every 300 mi, last done 03/01/2024. Your changes are not saved yet.',
  )
  expect(screen.getByLabelText<HTMLInputElement>('Every miles').value).toBe('500')
  expect(onClose).not.toHaveBeenCalled()

  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent[1]).toMatchObject({ task: { every_distance: 804_500 }, instead_of: sent[0]!.task.request_key })
})

test('shows a value that was changed elsewhere, and replaces only that value when saved again', async () => {
  const user = userEvent.setup()
  const task = {
    id: 1,
    gear_id: 7,
    name: 'Wax',
    kind: 'service',
    outdoor_only: false,
    every: { distance: 482_700, moving_time: null, days: 30 },
  } as unknown as Task
  const stored = { name: 'Wax', every_distance: 804_500, every_days: 90 }
  const sent: unknown[] = []
  const { backend } = fakeBackend(({ path, body }) => {
    if (!path.endsWith('/rpc/edit_row')) return Response.json([])
    sent.push(body)
    return sent.length === 1
      ? Response.json({ code: 'RMT31', message: '', stored }, { status: 409 })
      : Response.json({ change: 'a', row: stored })
  })
  const store = createStore()
  store.set(backendAtom, backend)
  const onClose = vi.fn<() => void>()
  render(
    <Provider store={store}>
      <EditTaskDialog task={task} onClose={onClose} />
    </Provider>,
  )
  const miles = screen.getByLabelText<HTMLInputElement>('Every miles')
  await user.clear(miles)
  await user.type(miles, '400')
  await user.click(screen.getByRole('button', { name: 'Save task' }))
  expect((await screen.findByText(/^It has changed/)).textContent).toBe(
    'It has changed since: Every 300.0 mi → 500.0 mi. Save again to replace this.',
  )
  expect(miles.value).toBe('400')
  expect(onClose).not.toHaveBeenCalled()

  await user.click(screen.getByRole('button', { name: 'Save task' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  const wanted = { every_distance: 643_600 }
  expect(sent).toMatchObject([
    { shown: { every_distance: 482_700 }, wanted },
    { shown: { every_distance: 804_500 }, wanted },
  ])
  expect(sent.map((edit) => Object.keys((edit as { wanted: object }).wanted))).toEqual([
    ['every_distance'],
    ['every_distance'],
  ])
})

test('sends every value after a save that may have succeeded, so the shown one is not lost when typed again', async () => {
  const user = userEvent.setup()
  const every = { distance: null, moving_time: null, days: 30 }
  const task = { id: 1, gear_id: 7, name: 'Wax', kind: 'service', outdoor_only: false, every } as Task
  const limits = { every_distance: null, every_moving_time: null, every_days: 30 }
  const stored = { name: 'Drip wax', kind: 'service', outdoor_only: false, ...limits }
  const sent: unknown[] = []
  const { backend } = fakeBackend(({ path, body }) => {
    if (!path.endsWith('/rpc/edit_row')) return Response.json([])
    sent.push(body)
    // A lost write is repeated once.
    if (sent.length <= 2) throw new TypeError('Failed to fetch')
    return sent.length === 3
      ? Response.json({ code: 'RMT31', message: '', stored }, { status: 409 })
      : Response.json({ change: 'a', row: stored })
  })
  const store = createStore()
  store.set(backendAtom, backend)
  const onClose = vi.fn<() => void>()
  render(
    <Provider store={store}>
      <EditTaskDialog task={task} onClose={onClose} />
    </Provider>,
  )
  const save = async (name: string) => {
    await user.clear(screen.getByLabelText('Task'))
    await user.type(screen.getByLabelText('Task'), name)
    await user.click(screen.getByRole('button', { name: 'Save task' }))
  }
  await save('Drip wax')
  await screen.findByText(/^The connection dropped/)
  await save('Wax')
  expect((await screen.findByText(/^It has changed/)).textContent).toBe(
    'It has changed since: Task Wax → Drip wax. Save again to replace this.',
  )
  await save('Wax')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent.slice(2)).toMatchObject([
    { shown: { name: 'Wax', every_days: 30 }, wanted: { name: 'Wax', every_days: 30, kind: 'service' } },
    { shown: { name: 'Drip wax' }, wanted: { name: 'Wax' } },
  ])
})

test('says that a task went to the part that has replaced its part', async () => {
  const user = userEvent.setup()
  const { backend } = fakeBackend(() => Response.json({ successor: { name: 'KMC X11' } }))
  const store = createStore()
  store.set(backendAtom, backend)
  const onClose = vi.fn<() => void>()
  render(
    <Provider store={store}>
      <AddTaskDialog owner={{ part_id: 1, name: 'Chain', type: 'Drivetrain' }} gearId={7} onClose={onClose} />
    </Provider>,
  )
  await user.type(screen.getByLabelText('Task'), 'Wax')
  await user.type(screen.getByLabelText('Every days'), '30')
  await user.click(screen.getByRole('button', { name: 'Save task' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(toasts.done).toEqual(['“Wax” was added to “KMC X11”, which has replaced “Chain”.'])
})
