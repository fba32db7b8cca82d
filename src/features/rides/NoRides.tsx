import { useAtomValue, useSetAtom } from 'jotai'

import { Notice } from '../../components/Notice.tsx'
import { clearFiltersAtom, effectiveFiltersAtom } from './filter-atoms.ts'

/** In the table's place: `ofGear` where the gear has no rides at all, else the filters let none through. */
export function NoRides({ ofGear = false }: { ofGear?: boolean }) {
  const { gear } = useAtomValue(effectiveFiltersAtom)
  const clear = useSetAtom(clearFiltersAtom)

  if (ofGear) return <Notice>{REASONS[gear] ?? OF_BIKE}</Notice>
  return (
    <Notice action={{ label: 'Show all', run: clear }}>No rides match these dates and this search.</Notice>
  )
}

const OF_BIKE =
  'No rides on this bike yet. Choose it as the gear of your rides at Ride with GPS, then update the rides.'

const REASONS: Readonly<Record<string, string>> = {
  all: 'No rides yet. Update the rides to bring them here from Ride with GPS.',
  none: 'Every ride is on one of the bikes.',
}
