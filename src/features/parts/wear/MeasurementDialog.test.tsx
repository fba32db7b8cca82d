// @vitest-environment jsdom
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createStore, Provider } from 'jotai'
import { expect, test, vi } from 'vitest'

import { fakeDialogs } from '../../../components/fake-dialogs.ts'
import { recordToasts } from '../../../components/record-toasts.ts'
import { backendAtom } from '../../../lib/backend.ts'
import { fakeBackend, type Sent } from '../../../lib/fake-backend.ts'
import { DEFAULT_SETTINGS, settingsAtom, storeSettingsAtom } from '../../../lib/settings.ts'
import type { Item } from '../../items/fields.ts'
import { MeasurementDialog } from './MeasurementDialog.tsx'

const toasts = recordToasts()

fakeDialogs()

let store: ReturnType<typeof createStore>
let settings: object[] = []

/** Answers like the table of settings, which is empty before a change. */
function storedSettings({ method, body }: Sent) {
  if (method === 'POST') settings = [{ ...DEFAULT_SETTINGS, ...(body as object) }]
  return settings
}

function open(respond: (sent: Sent) => Response) {
  const onClose = vi.fn<() => void>()
  const { backend } = fakeBackend((sent) =>
    sent.path.startsWith('/rest/v1/wear_measurements') || sent.path.endsWith('/rpc/edit_row')
      ? respond(sent)
      : sent.path.startsWith('/rest/v1/settings')
        ? Response.json(storedSettings(sent))
        : Response.json({ code: '' }, { status: 500 }),
  )
  store = createStore()
  store.set(backendAtom, backend)
  render(
    <Provider store={store}>
      <MeasurementDialog
        unit="chain %"
        item={{ part_id: 1, name: 'Chain', type: 'Drivetrain' } as Item}
        measurement={null}
        latest={undefined}
        onClose={onClose}
      />
    </Provider>,
  )
  return onClose
}

test('shows the version saved earlier, keeps the form, and saves changes to that version', async () => {
  const user = userEvent.setup()
  const changes: Sent[] = []
  let stored: object[] = []
  const onClose = open((sent) => {
    const { method, path, body } = sent
    if (path.endsWith('/rpc/edit_row')) {
      changes.push(sent)
      return Response.json({ change: 'a', row: stored[0] })
    }
    // Store different values, as if an earlier response had been lost.
    if (method === 'POST') stored = [{ ...(body as object), id: 5, value: 0.35, measured_on: '2024-03-01' }]
    return Response.json(method === 'GET' ? stored : [])
  })
  await user.type(screen.getByLabelText('Value'), '0.5')
  await user.type(screen.getByLabelText('Tool'), 'Park CC-4')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(
    'An earlier version was saved: 0.35 chain %, Park CC-4, 03/01/2024. Your changes are not saved yet.',
  )
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  const shown = { value: 0.35, measured_on: '2024-03-01', tool: 'Park CC-4' }
  const { measured_on } = (changes[0]!.body as { wanted: { measured_on: string } }).wanted
  expect(changes).toMatchObject([
    { body: { relation: 'wear_measurements', row_id: 5, shown, wanted: { value: 0.5, measured_on } } },
  ])
  expect(toasts.offers).toMatchObject([{ message: 'The measurement was saved.', label: 'Undo' }])
})

test('saves the day that was typed, even if another device changes the order of dates', async () => {
  const user = userEvent.setup()
  const saved: Sent[] = []
  open((sent) => {
    if (sent.method === 'POST') saved.push(sent)
    return Response.json([])
  })
  await user.type(screen.getByLabelText('Value'), '0.5')
  await user.clear(screen.getByLabelText('Day'))
  await user.type(screen.getByLabelText('Day'), '11/10/2023')
  await act(() => store.set(storeSettingsAtom, { dates: 'DD/MM/YYYY' }))
  expect(store.get(settingsAtom).dates).toBe('DD/MM/YYYY')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved[0]?.body).toMatchObject({ measured_on: '2023-11-10' }))
})
