// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { expect, test, vi } from 'vitest'

import { fakeDialogs } from '../../../components/fake-dialogs.ts'
import { recordToasts } from '../../../components/record-toasts.ts'
import { fakeStore, GATE, written } from '../../../lib/fake-backend.ts'
import { EarlierDialog } from './EarlierDialog.tsx'

const toasts = recordToasts()

fakeDialogs()

const NONE = { earlier_distance: null, earlier_moving_time: null }
const BOTH = { earlier_distance: 1_930_800, earlier_moving_time: 288_000 }

test('focuses an invalid number, saves earlier usage, and offers Undo', async () => {
  const user = userEvent.setup()
  const { store, sent } = fakeStore(({ path }) =>
    path === GATE ? written({ row: BOTH, restored: 1, conflicts: [] }, 'a') : Response.json([]),
  )
  const writes = () => sent.filter(({ path }) => path === GATE).map(({ body }) => body)
  const onClose = vi.fn<() => void>()
  render(
    <Provider store={store}>
      <EarlierDialog part={{ part_id: 3, name: 'Wheels' }} earlier={NONE} onClose={onClose} />
    </Provider>,
  )
  const miles = screen.getByLabelText('Miles')
  await user.type(miles, '1.200.5')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(document.activeElement).toBe(miles))
  expect(miles.getAttribute('aria-invalid')).toBe('true')
  expect(writes()).toEqual([])

  await user.clear(miles)
  await user.type(miles, '1,200')
  await user.type(screen.getByLabelText('Hours'), '80')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  const [offer] = toasts.offers
  expect(offer).toMatchObject({ message: 'The earlier usage of “Wheels” was saved.', label: 'Undo' })
  offer!.run()
  await waitFor(() =>
    expect(writes()).toMatchObject([
      { command: 'edit_row', arguments: { relation: 'parts', row_id: 3, shown: NONE, wanted: BOTH } },
      { command: 'undo', arguments: { change: 'a' } },
    ]),
  )
})
