// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { expect, test, vi } from 'vitest'

import { fakeDialogs } from '../../../../components/fake-dialogs.ts'
import { recordToasts } from '../../../../components/record-toasts.ts'
import { type Command, fakeStore, GATE, written } from '../../../../lib/fake-backend.ts'
import { ITEM } from '../../../entries/fake-item.ts'
import { MeasurementDialog } from './MeasurementDialog.tsx'

const toasts = recordToasts()

const CHECK = {
  id: 3,
  part_id: ITEM.part_id,
  gear_id: ITEM.bikeId,
  name: 'Check chain wear',
  kind: 'check',
  state: 'ok',
  axis: 'distance',
  left: { distance: 160_900, moving_time: null, days: null },
  outdoor_only: false,
}

fakeDialogs()

test('opens the other fields if one of them has a problem, saves, and offers Undo', async () => {
  const user = userEvent.setup()
  const saved: Command[] = []
  const { store } = fakeStore(({ path, body }) => {
    if (path.endsWith('/service-due'))
      return Response.json({ tasks: [CHECK, { ...CHECK, id: 4, kind: 'service' }], limits: [] })
    if (path !== GATE) return Response.json([])
    saved.push(body as Command)
    return written({ id: 5 }, 'a')
  })
  const onClose = vi.fn<() => void>()
  render(
    <Provider store={store}>
      <MeasurementDialog item={ITEM} unit={null} measurement={null} latest={undefined} onClose={onClose} />
    </Provider>,
  )
  const alsoDone = await screen.findByRole('group', { name: 'Also done', hidden: true })
  expect(alsoDone.textContent).toBe('Also doneCheck chain wearin 100 mi')
  const rest = screen.getByText('Day, unit, tool, limit and note').closest('details')!
  await user.type(screen.getByLabelText('Value'), '0.5')
  expect(rest.open).toBe(false)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Unit')))
  expect([rest.open, saved]).toEqual([true, []])

  await user.type(screen.getByLabelText('Unit'), 'chain %')
  await user.type(screen.getByLabelText('Tool'), 'Park CC-4')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(saved).toMatchObject([
    {
      command: 'add_measurement',
      arguments: {
        part_id: ITEM.part_id,
        also_done: [3],
        measurement: {
          value: 0.5,
          reading: null,
          unit: 'chain %',
          tool: 'Park CC-4',
          limit: null,
          note: null,
        },
      },
    },
  ])
  expect(toasts.offers).toMatchObject([{ message: 'The measurement was added.', label: 'Undo' }])
})
