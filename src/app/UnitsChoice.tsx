import { useAtom } from 'jotai'

import { Choice } from '../components/Choice.tsx'
import { chosenUnitsAtom } from '../lib/chosen-units.ts'

const CHOICES = [
  { value: 'miles', label: 'Miles' },
  { value: 'kilometers', label: 'Kilometers' },
] as const

/** Chooses the units of everything that is shown. */
export function UnitsChoice() {
  const [chosen, choose] = useAtom(chosenUnitsAtom)
  return <Choice legend="Units" choices={CHOICES} chosen={chosen} onChoose={choose} />
}
