import { atom } from 'jotai'

import type { RideChangesCall } from '../../../../supabase/functions/ride-changes/contract.ts'
import { notifyFailure } from '../../../components/toasts.tsx'
import { backendAtom, type Client } from '../../../lib/backend.ts'
import { messageFor, toAppError } from '../../../lib/errors.ts'
import { callFunction } from '../../../lib/functions.ts'
import { PARTS } from '../../../lib/inputs.ts'
import { resourceAtom } from '../../../lib/resource.ts'

export type {
  Facts,
  PartChange,
  RideChange,
} from '../../../../supabase/functions/_shared/contracts/ride-changes.ts'
export type { RideChanges as Changes } from '../../../../supabase/functions/ride-changes/contract.ts'

const readChanges = (client: Client, body: RideChangesCall['input'], signal: AbortSignal) =>
  callFunction<RideChangesCall>(client, 'ride-changes', { body, signal })

/** Creates a resource for a sync's changes. Defaults to the last sync that changed anything. */
export const changesAtomOf = (sync?: number) =>
  resourceAtom({ reads: ['rides', PARTS] }, (get, { signal }) =>
    readChanges(get(backendAtom).client, sync === undefined ? {} : { sync_id: sync }, signal),
  )

/** Reads a sync's rides after the first `skip`. Resolves to null after a failure. */
export const moreRidesAtom = atom(null, async (get, _set, sync: number, skip: number) => {
  try {
    const { client } = get(backendAtom)
    return (await readChanges(client, { sync_id: sync, skip }, new AbortController().signal)).rides
  } catch (cause) {
    notifyFailure(`The rides could not be loaded. ${messageFor(toAppError(cause))}`)
    return null
  }
})
