import { useState } from 'react'

import { useFormats } from '../../lib/formats.ts'
import { ChangedElsewhere, type Values } from '../../lib/errors.ts'
import type { Change } from './api.ts'
import { differences } from './change-messages.ts'

/** Returns the values that differ from the shown ones. */
export const wantedOf = <Row extends Values>(values: Row, shown: Partial<Row>) =>
  Object.fromEntries(
    Object.entries(values).filter(([column, value]) => value !== shown[column]),
  ) as Partial<Row>

/** Returns what a form shows after it failed to save `wanted`: with the stored values, if they were changed elsewhere. */
export function shownAfter<Row extends Values>(cause: unknown, shown: Row, wanted: Partial<Row>): Row {
  if (!(cause instanceof ChangedElsewhere)) return shown
  const { stored } = cause
  return { ...shown, ...Object.fromEntries(Object.keys(wanted).map((column) => [column, stored[column]])) }
}

/**
 * Holds the stored values that a form has shown, so that saving never overwrites others. `wantedOf` returns the values to
 * send. Pass every failure to `describe`: if a value has changed since, it returns a message with the stored value, which
 * saving again replaces. It returns null for other errors.
 */
export function useShown<Row extends Values>(relation: Change['relation'], initial: Row) {
  const formats = useFormats()
  const [shown, setShown] = useState(initial)
  const describe = (cause: unknown, wanted: Partial<Row>): string | null => {
    if (!(cause instanceof ChangedElsewhere)) return null
    const now = shownAfter(cause, shown, wanted)
    setShown(now)
    const changes = differences(relation, shown, now, formats)
    return `It has changed since: ${changes}. Save again to replace this.`
  }
  return { shown, wantedOf: (values: Row) => wantedOf(values, shown), describe }
}
