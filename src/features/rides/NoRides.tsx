import { useAtomValue, useSetAtom } from 'jotai'

import { Notice } from '../../components/Notice.tsx'
import { activeFiltersAtom, clearFiltersAtom, effectiveFiltersAtom } from './filter-atoms.ts'

/** Replaces the table if the filters match nothing or, with `ofGear`, if the gear has no rides at all. */
export function NoRides({ ofGear = false }: { ofGear?: boolean }) {
  const { gear } = useAtomValue(effectiveFiltersAtom)
  const isNarrowed = useAtomValue(activeFiltersAtom).length > 0
  const clear = useSetAtom(clearFiltersAtom)

  if (!ofGear)
    return <Notice action={{ label: 'Show all', run: clear }}>No rides match these filters.</Notice>
  return (
    <Notice {...(isNarrowed && { action: { label: 'Clear filters', run: clear } })}>
      {REASONS[gear] ?? OF_BIKE}
    </Notice>
  )
}

const OF_BIKE =
  'No rides on this bike yet. Set it as the gear of your rides on Ride with GPS, then update your rides.'

const REASONS: Readonly<Record<string, string>> = {
  all: 'No rides yet. Update your rides to get them from Ride with GPS.',
  none: 'Every ride is on one of your bikes.',
}
