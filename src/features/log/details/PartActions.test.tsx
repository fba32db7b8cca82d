// @vitest-environment jsdom
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createStore, Provider } from 'jotai'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'

import { fakeDialogs } from '../../../components/fake-dialogs.ts'
import { recordToasts } from '../../../components/record-toasts.ts'
import { backendAtom } from '../../../lib/backend.ts'
import { type Command, fakeBackend, GATE, written } from '../../../lib/fake-backend.ts'
import { ITEM } from '../../entries/fake-item.ts'
import type { PartKind } from '../../../../supabase/functions/_shared/kinds.ts'
import type { Item } from '../../entries/fields.ts'
import { logAtom } from '../../entries/log.ts'
import { partDetailsAtom } from '../../entries/usage.ts'
import { StoredParts } from '../actions/StoredParts.tsx'
import { PartActions } from './PartActions.tsx'

const toasts = recordToasts()

fakeDialogs()
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe = () => undefined
    disconnect = () => undefined
  },
)

const KINDS: Record<string, PartKind> = {
  Tires: 'tire',
  Cassette: 'cassette',
  'Disc rotors': 'rotor',
  Wheels: 'wheel',
}
const itemOf = (id: number, name: string, type: string, bikeId = 7): Item => ({
  ...ITEM,
  id,
  bikeId,
  part_id: id,
  type,
  name,
  kind: KINDS[name] ?? null,
})
const WHEELS = itemOf(1, 'Wheels', 'Wheels')
const BIKES = [
  { gear_id: 7, name: 'Road', is_listed: true },
  { gear_id: 8, name: 'Gravel', is_listed: true },
  { gear_id: 9, name: 'Gone', is_listed: false },
  { gear_id: 10, name: 'Trail', is_listed: true },
  { gear_id: 11, name: 'Retired', is_listed: true, is_retired: true },
]

/** Fakes a bike with wheels, tires and a cassette. `respond` can answer a request first. */
function setUp(
  respond: (path: string, body: unknown) => Response | Promise<Response> | undefined = () => undefined,
) {
  const state = {
    logs: {
      7: [WHEELS, itemOf(2, 'Cassette', 'Drivetrain'), itemOf(3, 'Tires', 'Tires')],
      8: [itemOf(4, 'Spare wheels', 'Wheels', 8)],
    } as Record<number, Item[]>,
    movedTogether: [3],
    previousBike: 8,
    stored: [] as object[],
  }
  const changes: Command[] = []
  const { backend } = fakeBackend(async ({ path, body }) => {
    if (path === GATE) changes.push(body as Command)
    const response = await respond(path, body)
    if (response) return response
    if (path.endsWith('/rpc/stored_parts')) return Response.json({ parts: state.stored })
    if (path === GATE) return written({ ended: [], added: [], restored: 0, conflicts: [] }, 'a')
    if (path.endsWith('/rpc/log_items'))
      return Response.json({ items: state.logs[(body as { gear_id: number }).gear_id] ?? [] })
    if (path.startsWith('/rest/v1/bikes')) return Response.json(BIKES)
    return Response.json({
      gear_id: 7,
      total: { rides: 0, distance: 0, moving_time: 0 },
      items: [],
      parts: [],
      part: {
        periods: [
          { id: 90, gear_id: state.previousBike },
          { id: 1, gear_id: 7 },
        ],
        moved_together: state.movedTogether,
      },
    })
  })
  const store = createStore()
  store.set(backendAtom, backend)
  const show = (shown: ReactNode) => render(<Provider store={store}>{shown}</Provider>)
  return {
    state,
    store,
    changes,
    showDetails: () => show(<PartActions item={WHEELS} />),
    showStored: () => show(<StoredParts />),
  }
}

const user = userEvent.setup()
const press = async (name: string) => user.click(await screen.findByRole('button', { name }))
const box = (name: string) =>
  screen.findByRole<HTMLInputElement>('checkbox', { name: new RegExp(`^${name}`) })
const boxes = () =>
  screen.queryAllByRole<HTMLInputElement>('checkbox').map((one) => one.closest('label')!.textContent)
/** jsdom has no popovers. */
async function pressInMore(name: string) {
  const more = await screen.findByRole('button', { name: 'More' })
  fireEvent(more.nextElementSibling!, Object.assign(new Event('toggle'), { newState: 'open' }))
  await user.click(await screen.findByText(name))
}
const target = () => screen.findByLabelText<HTMLSelectElement>('To bike')

test('shows that the dialog is loading until its parts are known', async () => {
  const details = Promise.withResolvers<undefined>()
  const { showDetails } = setUp((path) =>
    path.endsWith('/maintenance-use') ? (details.promise as Promise<never>) : undefined,
  )
  showDetails()
  await pressInMore('Store…')
  expect(screen.getByRole('dialog').textContent).toContain('Loading…')
  expect(boxes()).toEqual([])
  details.resolve(undefined)
  expect((await box('Tires')).checked).toBe(true)
  expect((await box('Cassette')).checked).toBe(false)
  expect(boxes()).toEqual(['TiresTires', 'CassetteDrivetrain'])
})

test('offers a wheel’s tires first and ticked, then cassette and rotors, if nothing moved with it before', async () => {
  const { state, showDetails } = setUp()
  state.movedTogether = []
  state.logs[7] = [itemOf(5, 'Saddle', 'Saddle'), itemOf(6, 'Disc rotors', 'Brakes'), ...state.logs[7]!]
  showDetails()
  await press('Move…')
  expect((await box('Tires')).checked).toBe(true)
  expect((await box('Cassette')).checked).toBe(false)
  expect(boxes()).toEqual(['TiresTires', 'Disc rotorsBrakes', 'CassetteDrivetrain', 'SaddleSaddle'])
})

test('keeps the choices and their order when data reloads, and saves the choices', async () => {
  const { state, store, changes, showDetails } = setUp()
  showDetails()
  await press('Move…')
  // No bike is preselected, and bikes that were deleted on Ride with GPS are missing.
  expect(Array.from((await target()).options, ({ text }) => text)).toEqual([
    'Choose a bike',
    'Gravel',
    'Trail',
    'Retired',
  ])
  expect((await screen.findByRole('button', { name: 'Move' })).ariaDisabled).toBe('true')
  await user.selectOptions(await target(), 'Gravel')
  await user.click(await box('Cassette'))
  await user.click(await box('Tires'))
  await user.click(await box('Replaces: Spare wheels · ends today'))
  await user.selectOptions(await screen.findByLabelText('Where it goes'), 'To Road')
  const shown = boxes()

  state.movedTogether = [2]
  state.previousBike = 10
  state.logs[7] = [WHEELS, itemOf(5, 'Saddle', 'Saddle'), itemOf(2, 'Cassette', 'Drivetrain')]
  state.logs[8] = []
  await act(async () => {
    await Promise.all([store.set(logAtom(7).reloadAtom), store.set(logAtom(8).reloadAtom)])
    await store.set(partDetailsAtom(WHEELS).reloadAtom)
  })
  expect(boxes()).toEqual(shown)
  expect((await target()).value).toBe('8')
  expect(
    [await box('Cassette'), await box('Tires'), await box('Replaces: Spare wheels')].map(
      ({ checked }) => checked,
    ),
  ).toEqual([true, false, true])

  await press('Move')
  expect(changes[0]!.arguments).toMatchObject({
    take_off: [{ id: 1 }, { id: 2 }, { id: 4, ended_as: 'moved' }],
    put_on: [{ bikeId: 8 }, { bikeId: 8 }, { bikeId: 7 }],
  })
})

test('ends what is likely replaced, unless the owner unticks it, and lists other parts of the type', async () => {
  const likely = { id: 9, type: 'Wheels', name: 'Zipp wheels', is_likely: true }
  const { changes, showDetails } = setUp((path, body) =>
    path.endsWith('/rpc/replaced_parts')
      ? Response.json({ items: (body as { items: number[] }).items.includes(3) ? [likely] : [] })
      : undefined,
  )
  showDetails()
  await press('Move…')
  await user.selectOptions(await target(), 'Gravel')
  expect((await box('Replaces: Zipp wheels')).checked).toBe(true)
  expect((await box('Replaces: Spare wheels')).checked).toBe(false)
  await user.click(await box('Tires'))
  await waitFor(() => expect(boxes().at(-1)).toContain('Spare wheels'))
  await waitFor(() => expect(boxes().join()).not.toContain('Zipp wheels'))
  await user.click(await box('Tires'))
  expect((await box('Replaces: Zipp wheels')).checked).toBe(true)
  await press('Move')
  expect(changes[0]!.arguments).toMatchObject({
    take_off: [{ id: 1 }, { id: 3 }, { id: 9, ended_as: 'stored' }],
    put_on: [{ part_of: 1 }, { part_of: 3 }],
  })
  await waitFor(() =>
    expect(toasts.offers.at(-1)).toMatchObject({
      message: '“Wheels” was moved to Gravel. With it: “Tires”. It replaces “Zipp wheels”.',
    }),
  )
})

test('rejects a day before the part was installed', async () => {
  const { showDetails, changes } = setUp()
  showDetails()
  await press('Move…')
  const field = await screen.findByLabelText('Day')
  await user.clear(field)
  await user.type(field, '01/09/2024{Enter}')
  await screen.findByText('Enter a date on or after 01/10/2024, when it was installed.')
  expect(changes).toEqual([])
})

const savedEarlier = () =>
  Response.json({ code: 'RMT07', message: '', stored: { answer: {}, change: 'earlier' } }, { status: 409 })

const NO_USE = { rides: 0, distance: 0, moving_time: 0, earlier_distance: null, earlier_moving_time: null }
const STORED = { ...WHEELS, ...NO_USE, item_id: 1, gear_id: 7, stored_at: '2024-03-01T01:00:00', days: 50 }

test('keeps the Install dialog open when an earlier version was saved and nothing is stored any more', async () => {
  const { state, changes, showStored } = setUp((path) => {
    if (path !== GATE) return undefined
    state.stored = []
    return changes.length === 1 ? savedEarlier() : undefined
  })
  state.stored = [STORED]
  showStored()
  await press('Install Wheels…')
  const bike = await target()
  // Where it was, and no retired bike.
  expect([...bike.selectedOptions].map((option) => option.textContent)).toEqual(['Road'])
  expect([...bike.options].map((option) => option.textContent)).toEqual(['Road', 'Gravel', 'Trail'])
  await press('Install')
  expect((await screen.findByRole('alert')).textContent).toContain('An earlier version was saved.')
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Stored' })).toBeNull())
  await press('Install')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(toasts.offers).toMatchObject([{ message: '“Wheels” was installed on Road.' }])
})
