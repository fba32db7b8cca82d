import type { SuccessorField } from '../../../../supabase/functions/_shared/entry-fields.ts'
import type { KindAndPosition } from '../../../../supabase/functions/_shared/kinds.ts'
import { END_REASONS } from '../../../../supabase/functions/_shared/limits.ts'
import type * as contract from '../../../../supabase/functions/_shared/contracts/data-api.ts'
import type { Client } from '../../../lib/backend.ts'
import type { Day } from '../../../lib/days.ts'
import { callSql } from '../../../lib/functions.ts'
import type { Uncounted } from '../../../lib/waiting.ts'
import type { Values } from '../../entries/fields.ts'

/** The reason why an item ended, or null if it is unknown. */
export type Reason = (typeof END_REASONS)[number] | null

export type StoredPart = Uncounted<contract.StoredPart>

/** An item to add: a part to install on a bike, or an item's replacement. */
export type PutOn =
  | { bikeId: number; part_of: number }
  | ({ replaces: number } & Pick<Values, SuccessorField> & KindAndPosition)

export type Change = {
  day: Day
  take_off: { id: number; ended_as: Reason }[]
  put_on: PutOn[]
}

/** Items, by id, whose end or start moves from one time to another. */
export type DayChange = { from: string; to: string; ended: number[]; started: number[] }

export async function readStoredParts(client: Client, signal: AbortSignal): Promise<StoredPart[]> {
  return (await callSql(client, 'stored_parts', {}, signal)).parts
}
