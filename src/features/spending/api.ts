import type { Spending, SpendingCall } from '../../../supabase/functions/spending/contract.ts'
import type { Client } from '../../lib/backend.ts'
import { callFunction } from '../../lib/functions.ts'

export type { Spending }

/** Reads all spending, and the cost of riding in a period. */
export function readSpending(
  client: Client,
  period: SpendingCall['input'],
  signal: AbortSignal,
): Promise<Spending> {
  return callFunction<SpendingCall>(client, 'spending', { body: period, signal })
}
