import { useAtomValue, useSetAtom } from 'jotai'

import { unitsAtom } from '../../lib/chosen-units.ts'
import { messageFor } from '../../lib/errors.ts'
import { usageAtom } from './atoms.ts'
import styles from './UsageFailure.module.css'

/** Says that a bike's usage could not be counted, and offers to try again; nothing while all is well. */
export function UsageFailure({ gearId }: { gearId: number }) {
  const usage = useAtomValue(usageAtom(gearId))
  const { name } = useAtomValue(unitsAtom)
  const reread = useSetAtom(usageAtom(gearId))
  const failure = usage.state === 'failed' ? usage.error : usage.state === 'ready' ? usage.failure : null
  if (failure === null) return null

  return (
    <p className={styles.failure}>
      {`${name} and times could not be counted. ${messageFor(failure)}`}
      <button type="button" onClick={() => void reread()}>
        Try again
      </button>
    </p>
  )
}
