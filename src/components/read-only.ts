import { atom, useAtomValue } from 'jotai'

import type { WriteName } from '../../supabase/functions/_shared/contracts/run-command.ts'
import { stalenessAtom } from '../lib/resource.ts'
import { mayWait } from '../lib/waiting.ts'

/** The id of the text that explains why controls are disabled. */
export const READ_ONLY_REASON = 'offline-reason'

// Cached data may be out of date, so only what can wait for the network may be done with it.
const isReadOnlyAtom = atom((get) => get(stalenessAtom)?.fromCache ?? false)

/** Returns props that disable a control and reference the reason while cached data is shown, unless its command may wait. */
export function useReadOnly(command?: WriteName) {
  const isReadOnly = useAtomValue(isReadOnlyAtom)
  const disabled = isReadOnly && !mayWait(command)
  return { disabled, 'aria-describedby': disabled ? READ_ONLY_REASON : undefined }
}
