import { atom, useAtomValue } from 'jotai'

import { outOfDateAtom } from '../lib/resource.ts'

/** The id of the text that says why nothing can be changed. */
export const READ_ONLY_REASON = 'out-of-date'

// What is on the screen from an earlier visit may have been changed since.
const isReadOnlyAtom = atom((get) => get(outOfDateAtom)?.isKept ?? false)

/** The attributes of a control that changes something: disabled, with the reason, while nothing may be changed. */
export function useReadOnly() {
  const disabled = useAtomValue(isReadOnlyAtom)
  return { disabled, 'aria-describedby': disabled ? READ_ONLY_REASON : undefined }
}
