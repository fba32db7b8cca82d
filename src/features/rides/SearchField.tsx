import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'

import { commitSearchAtom, rideFiltersAtom, searchDraftAtom } from './filter-atoms.ts'
import styles from './RideFilters.module.css'

/** How long nothing is typed until the search is taken into the address, in milliseconds. */
const PAUSE = 400

/** The search narrows the list at every key; the address follows in pauses. */
export function SearchField() {
  const { search } = useAtomValue(rideFiltersAtom)
  const [draft, setDraft] = useAtom(searchDraftAtom)
  const commit = useSetAtom(commitSearchAtom)

  useEffect(() => {
    if (draft === null) return undefined
    const pause = setTimeout(commit, PAUSE)
    return () => clearTimeout(pause)
  }, [draft, commit])
  // What is half typed belongs to this list; another one begins without it.
  useEffect(() => () => setDraft(null), [setDraft])

  return (
    <label className={`${styles.field} ${styles.search}`}>
      Search names
      <input
        type="search"
        value={draft ?? search}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
      />
    </label>
  )
}
