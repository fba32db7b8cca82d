// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createStore, Provider } from 'jotai'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'

import { backendAtom } from '../../lib/backend.ts'
import { fakeBackend } from '../../lib/fake-backend.ts'
import { AddTaskDialog } from './TaskDialogs.tsx'

// jsdom has no modal dialogs.
beforeAll(() =>
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      this.open = true
    },
    close(this: HTMLDialogElement) {
      this.open = false
    },
  }),
)
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
      : Response.json(stored)
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
