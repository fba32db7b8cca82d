import { useState } from 'react'

import { useFormats } from '../../lib/formats.ts'
import { ChangedElsewhere, type Values } from '../../lib/errors.ts'
import { knownAfter, type Known, wantedOf } from '../../lib/writes.ts'
import type { Change } from './api.ts'
import { differences } from './change-messages.ts'

/**
 * Holds the stored values that a form has shown, so that saving never overwrites others. `wantedOf` returns the values to
 * send. Pass every failure to `describe`: if a value has changed since, it returns a message with the stored value, which
 * saving again replaces. It returns null for other errors.
 */
export function useShown<Row extends Values>(relation: Change['relation'], initial: Row) {
  const formats = useFormats()
  const [known, setKnown] = useState<Known<Row>>({ shown: initial, isUnclear: false })
  const describe = (cause: unknown, wanted: Partial<Row>): string | null => {
    const now = knownAfter(cause, known, wanted)
    setKnown(now)
    if (!(cause instanceof ChangedElsewhere)) return null
    const changes = differences(relation, known.shown, now.shown, formats)
    return `It has changed since: ${changes}. Save again to replace this.`
  }
  return { shown: known.shown, wantedOf: (values: Row) => wantedOf(values, known), describe }
}
