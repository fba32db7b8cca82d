import { useAtom, useAtomValue } from 'jotai'

import { backendAtom } from '../../lib/backend.ts'
import { isGuideShownAtom } from './atoms.ts'
import styles from './SampleBadge.module.css'

export const SAMPLE_BADGE = 'sample-badge'

/** Marks sample data in the header. Pressing it shows or hides the guide. */
export function SampleBadge() {
  const { sample } = useAtomValue(backendAtom).config
  const [isShown, setShown] = useAtom(isGuideShownAtom)
  if (!sample) return null
  return (
    <button
      type="button"
      id={SAMPLE_BADGE}
      className={styles.badge}
      aria-expanded={isShown}
      onClick={() => setShown(!isShown)}
    >
      Sample data
    </button>
  )
}
