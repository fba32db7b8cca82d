// @vitest-environment jsdom
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createStore, Provider } from 'jotai'
import { expect, test, vi } from 'vitest'

import { fakeDialogs } from '../../../../components/fake-dialogs.ts'
import { recordToasts } from '../../../../components/record-toasts.ts'
import { backendAtom } from '../../../../lib/backend.ts'
import {
  type Command,
  fakeBackend,
  GATE,
  type Sent,
  written,
  writtenTo,
} from '../../../../lib/fake-backend.ts'
import { DEFAULT_SETTINGS, settingsAtom, storeSettingsAtom } from '../../../../lib/settings.ts'
import type { Item } from '../../data/fields.ts'
import { MeasurementDialog } from './MeasurementDialog.tsx'

const toasts = recordToasts()

fakeDialogs()

let store: ReturnType<typeof createStore>
let settings: object[] = []

/** Answers like the settings, of which there is no row before a change. */
function answerTo({ path, body }: Sent): Response {
  if (path.startsWith('/rest/v1/settings')) return Response.json(settings)
  if (path !== GATE) return Response.json({ code: '' }, { status: 500 })
  settings = [{ ...DEFAULT_SETTINGS, ...(body as Command).arguments }]
  return writtenTo('settings')
}

const isOfSettings = ({ path, body }: Sent) => path !== GATE || (body as Command).command === 'set_settings'

function open(respond: (call: Command) => Response) {
  const onClose = vi.fn<() => void>()
  const { backend } = fakeBackend((sent) =>
    isOfSettings(sent) ? answerTo(sent) : respond(sent.body as Command),
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

test('says that an earlier version was saved, keeps the form, and replaces that version', async () => {
  const user = userEvent.setup()
  const calls: Command[] = []
  const onClose = open((call) => {
    calls.push(call)
    if (calls.length > 1) return written({ id: 5, restored: 1, conflicts: [] }, 'a')
    const stored = { answer: { id: 5 }, change: 'earlier' }
    return Response.json({ code: 'RMT07', message: '', stored }, { status: 409 })
  })
  await user.type(screen.getByLabelText('Value'), '0.5')
  await user.type(screen.getByLabelText('Tool'), 'Park CC-4')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(/An earlier version was saved\. Save again to replace it\./)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(calls).toMatchObject([
    { command: 'add_measurement' },
    { command: 'undo', arguments: { change: 'earlier' } },
    { command: 'add_measurement', arguments: { part_id: 1, measurement: { value: 0.5, tool: 'Park CC-4' } } },
  ])
  expect(toasts.offers).toMatchObject([{ message: 'The measurement was added.', label: 'Undo' }])
})

test('saves the day that was typed, even if another device changes the order of dates', async () => {
  const user = userEvent.setup()
  const saved: Command[] = []
  open((call) => {
    saved.push(call)
    return written({ id: 5 }, 'a')
  })
  await user.type(screen.getByLabelText('Value'), '0.5')
  await user.clear(screen.getByLabelText('Day'))
  await user.type(screen.getByLabelText('Day'), '11/10/2023')
  await act(() => store.set(storeSettingsAtom, { dates: 'DD/MM/YYYY' }))
  expect(store.get(settingsAtom).dates).toBe('DD/MM/YYYY')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(saved[0]?.arguments).toMatchObject({ measurement: { measured_on: '2023-11-10' } }),
  )
})
