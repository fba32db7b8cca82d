import type { Garage, GarageCall } from '../../../supabase/functions/garage/contract.ts'
import type { Client } from '../../lib/backend.ts'
import { callFunction } from '../../lib/functions.ts'

export type { Garage }

export function readGarage(client: Client, signal: AbortSignal): Promise<Garage> {
  return callFunction<GarageCall>(client, 'garage', { body: {}, signal })
}
