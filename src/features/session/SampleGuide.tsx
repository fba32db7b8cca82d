import { atom, useAtom, useAtomValue } from 'jotai'
import * as v from 'valibot'

import { addressAtom } from '../../lib/address.ts'
import { backendAtom } from '../../lib/backend.ts'
import { preferenceAtom } from '../../lib/preference.ts'
import styles from './SampleGuide.module.css'

const preference = preferenceAtom<boolean>('sample-guide', true, v.boolean())

const chosenBase = atom<boolean | null>(null)

/** Whether the sample guide is open: never with real data, and outside the Garage only if the owner opened it. */
const isGuideShownAtom = atom(
  (get) =>
    get(backendAtom).config.sample &&
    (get(chosenBase) ?? (get(preference) && !['bike', 'settings'].some((page) => page in get(addressAtom)))),
  (_get, set, isShown: boolean) => {
    set(chosenBase, isShown)
    set(preference, isShown)
  },
)

const SAMPLE_BADGE = 'sample-badge'

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

export function SampleGuide() {
  const [isShown, setShown] = useAtom(isGuideShownAtom)
  const { isPackage } = useAtomValue(backendAtom).config
  if (!isShown) return null

  const run = (command: string) =>
    isPackage ? (
      <>
        the tracker’s <code>{command}</code> command
      </>
    ) : (
      <code>npm run {command}</code>
    )

  const dismiss = () => {
    setShown(false)
    // Focus the badge, which reopens the guide.
    document.getElementById(SAMPLE_BADGE)?.focus()
  }

  return (
    <section className={styles.guide} aria-labelledby="sample-guide">
      <h2 id="sample-guide" className={styles.title}>
        This is sample data
      </h2>
      <p className={styles.purpose}>
        The tracker keeps a maintenance log for each bike and uses your Ride with GPS rides to show how far
        and how long you have ridden each part. These bikes and rides belong to a made-up rider, so feel free
        to change anything.
      </p>
      <details className={styles.more}>
        <summary>How to use your own rides</summary>
        <ol>
          <li>Get an API key at ridewithgps.com, in your account settings under “Developers”.</li>
          <li>
            Stop the tracker with Ctrl-C and run {run('connect')}. It signs in to Ride with GPS once and
            stores a token, not your password.
          </li>
          <li>
            Start the tracker again. It prints a new sign-in password once. If something’s wrong, run{' '}
            {run('doctor')}.
          </li>
        </ol>
        <p>Your own data is stored in a separate database. The sample stays as it is.</p>
      </details>
      <button type="button" className={styles.dismiss} onClick={dismiss}>
        Dismiss
      </button>
    </section>
  )
}
