import { atom, useAtomValue } from 'jotai'

import { stalenessAtom } from '../lib/resource.ts'

/** The id of the text that explains why controls are disabled. */
export const READ_ONLY_REASON = 'offline-reason'

// Cached data may be out of date, so it must not be edited.
const isReadOnlyAtom = atom((get) => get(stalenessAtom)?.fromCache ?? false)

/** Returns props that disable a control and reference the reason while cached data is shown. */
export function useReadOnly() {
  const disabled = useAtomValue(isReadOnlyAtom)
  return { disabled, 'aria-describedby': disabled ? READ_ONLY_REASON : undefined }
}
