import { useAtomValue } from 'jotai'
import { useState } from 'react'

import { unitsAtom } from '../../lib/chosen-units.ts'
import { ChangedElsewhere, type Values } from '../../lib/errors.ts'
import type { Change } from './api.ts'
import { differences } from './change-messages.ts'

/**
 * Holds the stored values that a form has shown, so that saving never overwrites others. If a value was changed elsewhere,
 * `describe` returns a message with the stored value, which saving again replaces. Returns null for other errors.
 */
export function useShown<Row extends Values>(relation: Change['relation'], initial: Row) {
  const units = useAtomValue(unitsAtom)
  const [shown, setShown] = useState(initial)
  const describe = (cause: unknown, wanted: Partial<Row>): string | null => {
    if (!(cause instanceof ChangedElsewhere)) return null
    const { stored } = cause
    const edited = Object.keys(shown).filter((column) => column in wanted && wanted[column] !== shown[column])
    const now = { ...shown, ...Object.fromEntries(edited.map((column) => [column, stored[column]])) }
    setShown(now)
    return `It was changed elsewhere: ${differences(relation, shown, now, units)}. Save again to replace this.`
  }
  return { shown, setShown, describe }
}
