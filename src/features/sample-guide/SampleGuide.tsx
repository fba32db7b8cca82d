import { useAtom, useAtomValue } from 'jotai'

import { addressAtom } from '../../lib/address.ts'
import { isGuideShownAtom } from './atoms.ts'
import { ConnectSteps } from './ConnectSteps.tsx'
import styles from './SampleGuide.module.css'
import { SAMPLE_MARK } from './SampleMark.tsx'

/**
 * What a newcomer should know, until it is dismissed: all of it while no bike is chosen; above a log, which it must not
 * push away, a line that opens.
 */
export function SampleGuide() {
  const [isShown, show] = useAtom(isGuideShownAtom)
  const hasBike = 'bike' in useAtomValue(addressAtom)
  if (!isShown) return null

  const dismiss = () => {
    show(false)
    // The panel goes with its button; the mark is where it can be had again.
    document.getElementById(SAMPLE_MARK)?.focus()
  }

  return (
    <section className={styles.guide} aria-labelledby="sample-guide">
      <h2 id="sample-guide" className={styles.title}>
        This is sample data
      </h2>
      <details key={String(hasBike)} className={styles.more} open={!hasBike}>
        <summary>What it is, and how to connect your own</summary>
        <p>
          The tracker keeps a maintenance log for each bike, and counts from your rides at Ride with GPS how
          far and how long every part was ridden. What you see is a made-up rider’s, to try everything on. To
          see your own:
        </p>
        <ConnectSteps />
        <p>Your own bikes, rides and log are in a database of their own; the sample stays as it is.</p>
      </details>
      <button type="button" className={styles.dismiss} onClick={dismiss}>
        Dismiss
      </button>
    </section>
  )
}
