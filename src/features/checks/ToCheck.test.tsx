// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { expect, test } from 'vitest'

import { fakeDialogs } from '../../components/fake-dialogs.ts'
import { recordToasts } from '../../components/record-toasts.ts'
import { fakeStore, GATE, written } from '../../lib/fake-backend.ts'
import { ToCheck } from './ToCheck.tsx'

const toasts = recordToasts()

fakeDialogs()

const LINE = { key: 'gone_log:7', kind: 'gone_log', rides: [], items: [], gear_id: 7, item_count: 42 }
const BIKES = [
  { gear_id: 7, name: 'Domane', is_listed: false },
  { gear_id: 8, name: 'Domane', is_listed: true },
  { gear_id: 9, name: 'Warbird', is_listed: true },
]

test('attaches the log of a deleted bike to the bike of the same name, or to another one', async () => {
  const user = userEvent.setup()
  const { store, sent } = fakeStore(({ path }) => {
    if (path === GATE) return written({}, 'a')
    return Response.json(
      path.includes('/bikes') ? BIKES : { lines: [LINE], left_out: 0, items: [], parts: [] },
    )
  })
  render(
    <Provider store={store}>
      <ToCheck />
    </Provider>,
  )
  await screen.findByText('Ride with GPS no longer lists Domane')
  await user.click(screen.getByRole('button', { name: 'This bike is now …' }))
  const select = await screen.findByLabelText<HTMLSelectElement>('Bike')
  expect(select.selectedOptions[0]?.textContent).toBe('Domane')
  expect([...select.options].map(({ value }) => value)).toEqual(['8', '9'])
  await user.selectOptions(select, 'Warbird')
  await user.click(screen.getByRole('button', { name: 'Attach log' }))
  await waitFor(() => expect(screen.queryByLabelText('Bike')).toBeNull())
  expect(sent.find(({ path }) => path === GATE)?.body).toMatchObject({
    command: 'attach_log',
    arguments: { from: 7, to: 9 },
  })
  expect(toasts.offers).toMatchObject([{ message: 'The log of “Domane” was attached.', label: 'Undo' }])
})
