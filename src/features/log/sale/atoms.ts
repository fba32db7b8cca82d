import { atom } from 'jotai'

import type { WriteInput } from '../../../../supabase/functions/_shared/contracts/run-command.ts'
import type { Tables } from '../../../../supabase/database.types.ts'
import { addressAtom } from '../../../lib/address.ts'
import { backendAtom } from '../../../lib/backend.ts'
import type { Day } from '../../../lib/days.ts'
import { unwrap } from '../../../lib/errors.ts'
import { counted, quote } from '../../../lib/formats.ts'
import { resourceAtom } from '../../../lib/resource.ts'
import { weakFamily } from '../../../lib/weak-family.ts'
import type { NamedBike } from '../../bikes/api.ts'
import { mutate } from '../../journal/mutate.ts'

const NAMES = ['serial_number', 'size', 'color', 'sold_on', 'sold_for'] as const

export type BikeDetails = Pick<Tables<'bike_details'>, (typeof NAMES)[number]> & { sold_on: Day | null }

const NONE: BikeDetails = { serial_number: null, size: null, color: null, sold_on: null, sold_for: null }

/** What the owner knows of a bike, by gear_id. */
export const bikeDetailsAtom = weakFamily((gearId: number) =>
  resourceAtom({ reads: ['bikes', 'rides'], cacheAs: `bike/${gearId}` }, async (get, { signal }) => {
    const { client } = get(backendAtom)
    const [known] = unwrap(
      await client.from('bike_details').select(NAMES.join(', ')).in('gear_id', [gearId]).abortSignal(signal),
    ) as unknown as BikeDetails[]
    return known ?? NONE
  }),
)

/** Opens a bike's passport: the parts list with services and costs. */
export const openPassportAtom = atom(null, (_get, set, gearId: number) =>
  set(addressAtom, {
    set: { bike: String(gearId), view: 'parts-list', detail: 'service', tab: null, item: null, garage: null },
    by: 'push',
  }),
)

export const passportHref = (gearId: number) => `#bike=${gearId}&view=parts-list&detail=service`

type Edit = Pick<WriteInput<'bike_details'>, 'shown' | 'wanted'>

/** Saves what the owner knows of a bike, and offers Undo. Rejects if that fails. */
export const editDetailsAtom = atom(null, (get, set, { gear_id, name }: NamedBike, edit: Edit, key: string) =>
  mutate(
    get,
    set,
    'bike_details',
    { gear_id, ...edit },
    { subject: `What is known of ${quote(name)}`, done: 'saved' },
    key,
  ),
)

type Sale = Omit<WriteInput<'sell_bike'>, 'gear_id'>

/** Sells a bike, and offers Undo and its passport. Rejects if that fails. */
export const sellBikeAtom = atom(null, (get, set, { gear_id, name }: NamedBike, sale: Sale, key: string) =>
  mutate(
    get,
    set,
    'sell_bike',
    { gear_id, ...sale },
    {
      subject: quote(name),
      done: 'sold',
      message({ answer: { sold, stored } }) {
        const along = sold > 0 ? ` with ${counted(sold, 'part')}` : ''
        return `${quote(name)} was sold${along}${stored > 0 ? `, ${stored} to storage` : ''}.`
      },
      actions: () => [{ label: 'Passport', run: () => set(openPassportAtom, gear_id) }],
    },
    key,
  ),
)
