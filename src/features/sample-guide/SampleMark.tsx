import { useAtom, useAtomValue } from 'jotai'

import { backendAtom } from '../../lib/backend.ts'
import { isGuideShownAtom } from './atoms.ts'
import styles from './SampleMark.module.css'

export const SAMPLE_MARK = 'sample-mark'

/** Says that the data is a sample; pressing it shows what that means, or puts that away. */
export function SampleMark() {
  const { sample } = useAtomValue(backendAtom).config
  const [isShown, show] = useAtom(isGuideShownAtom)
  if (!sample) return null
  return (
    <button
      type="button"
      id={SAMPLE_MARK}
      className={styles.mark}
      aria-expanded={isShown}
      onClick={() => show(!isShown)}
    >
      Sample data
    </button>
  )
}
