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
import { write } from '../../lib/writes.ts'

export type { Family, Group, Lifetime, WhatIf, WhatIfItem, WhatIfTotals }
export type Lifetimes = LifetimesCall['answer']

export function readLifetimes(client: Client, filter: Filter, signal: AbortSignal): Promise<Lifetimes> {
  return callFunction<LifetimesCall>(client, 'part-lifetimes', { body: filter, signal })
}

/** Renames items. Resolves to the change, or to null if they already had these names. */
export async function renameItems(
  client: Client,
  names: { id: number; name: string }[],
): Promise<string | null> {
  return (await write(client, 'rename_items', { names })).change
}

/** Compares an item and its neighbors before and after a change, without saving the change. */
export async function readWhatIf(client: Client, what_if: WhatIf): Promise<WhatIfItem[]> {
  return (await callFunction<WhatIfCall>(client, 'part-lifetimes', { body: { what_if } })).what_if
}
