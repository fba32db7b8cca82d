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

export function readLifetimes(client: Client, filter: Filter, signal: AbortSignal): Promise<Lifetimes> {
  return callFunction<LifetimesCall>(client, 'part-lifetimes', { body: filter, signal })
}

/** A new name for an item. If `was` is set, the item is only renamed if that is still its name. */
export type Renaming = { id: number; name: string; was?: string | undefined }

const Renamed = v.array(v.object({ id: v.number(), name: v.string(), was: v.string() }))

/** Renames items. Resolves to the renamings that undo the change. */
export function renameItems(client: Client, names: Renaming[]): Promise<Renaming[]> {
  const write = async () => v.parse(Renamed, unwrap(await client.rpc('rename_items', { names })))
  // If the first attempt succeeded, a retry renames nothing and resolves to an empty array.
  return settleWrite(write, write)
}

/** Compares an item and its neighbors before and after a change, without saving the change. */
export async function readWhatIf(client: Client, what_if: WhatIf): Promise<WhatIfItem[]> {
  return (await callFunction<WhatIfCall>(client, 'part-lifetimes', { body: { what_if } })).what_if
}
