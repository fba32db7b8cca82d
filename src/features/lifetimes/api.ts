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

export type { Family, Group, Lifetime, WhatIf, WhatIfItem, WhatIfTotals }
export type Lifetimes = LifetimesCall['answer']

export function readLifetimes(client: Client, filter: Filter, signal: AbortSignal): Promise<Lifetimes> {
  return callFunction<LifetimesCall>(client, 'part-lifetimes', { body: filter, signal })
}

/** Compares an item and its neighbors before and after a change, without saving the change. */
export async function readWhatIf(client: Client, what_if: WhatIf): Promise<WhatIfItem[]> {
  return (await callFunction<WhatIfCall>(client, 'part-lifetimes', { body: { what_if } })).what_if
}
