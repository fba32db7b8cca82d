import * as v from 'valibot'

import type {
  Family,
  Filter,
  Group,
  Lifetime,
  LifetimesCall,
  WhatIf,
  WhatIfCall,
  WhatIfItem,
  WhatIfTotals,
} from '../../../supabase/functions/part-lifetimes/contract.ts'
import type { Client } from '../../lib/backend.ts'
import { callFunction } from '../../lib/functions.ts'
import { unwrap } from '../../lib/errors.ts'
import { settleWrite } from '../../lib/writes.ts'

export type { Family, Group, Lifetime, WhatIf, WhatIfItem, WhatIfTotals }
export type Lifetimes = LifetimesCall['answer']

/** How long parts lasted, by type and name. */
export function readLifetimes(client: Client, filter: Filter, signal: AbortSignal): Promise<Lifetimes> {
  return callFunction<LifetimesCall>(client, 'part-lifetimes', { body: filter, signal })
}

/** `was`: the item is only renamed if this is still its name. */
export type Renaming = { id: number; name: string; was?: string | undefined }

const Renamed = v.array(v.object({ id: v.number(), name: v.string(), was: v.string() }))

/** Renames items. Resolves to the renaming that undoes it. */
export function renameItems(client: Client, names: Renaming[]): Promise<Renaming[]> {
  const write = async () => v.parse(Renamed, unwrap(await client.rpc('rename_items', { names })))
  // Repeating it renames nothing again, but then there is nothing to undo it with.
  return settleWrite(write, write)
}

/** The part of an item and those of its neighbors, as they are and as they would be. Saves nothing. */
export async function readWhatIf(client: Client, what_if: WhatIf): Promise<WhatIfItem[]> {
  return (await callFunction<WhatIfCall>(client, 'part-lifetimes', { body: { what_if } })).what_if
}
