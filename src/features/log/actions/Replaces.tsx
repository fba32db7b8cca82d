import { atom, type Getter, useAtom, useAtomValue } from 'jotai'
import { useMemo, useState } from 'react'

import { usePaused } from '../../../components/use-pause.ts'
import { todayAtom } from '../../../lib/clock.ts'
import { type Day, dayOf } from '../../../lib/days.ts'
import { type Formats, useFormats } from '../../../lib/formats.ts'
import { type EntryForm, formCell } from '../../entries/entry-form.ts'
import { type Asked, type Replaced, replacedAtom } from '../../entries/replaced.ts'
import { ReasonSelect } from './ReasonSelect.tsx'
import { reasonAtom } from './replace.ts'
import styles from './Replaces.module.css'

/** Says what ends: `Replaces: René Herse, pair · ends today`. */
export const replacesLabel = (name: string, day: Day, today: Day, formats: Formats): string =>
  `Replaces: ${name} · ends ${day === today ? 'today' : formats.day(day)}`

/** Returns the part of the form for a new entry, or null if the entry isn't of a part in use. */
function partOf(get: Getter, gear_id: number): Asked | null {
  const value = (field: 'name' | 'type' | 'dateStarted' | 'dateEnded') => {
    const value = formCell(get, { bikeId: gear_id }, field).value
    return typeof value === 'string' ? value : undefined
  }
  const [name, type, start, end] = [value('name'), value('type'), value('dateStarted'), value('dateEnded')]
  const today = get(todayAtom)
  const day = start === undefined ? today : dayOf(start)
  if (!name || end !== undefined || day > today) return null
  return { gear_id, day, name, ...(type !== undefined && { type }) }
}

const nothingAtom = atom(null)

/** Returns what the part in a form for a new entry replaces, and what of it the owner lets end. */
export function useReplaced({ bikeId, replaced }: EntryForm) {
  const isNew = replaced === undefined
  const given = useAtomValue(
    useMemo(() => atom((get) => JSON.stringify(isNew ? partOf(get, bikeId) : null)), [bikeId, isNew]),
  )
  const paused = usePaused(given)
  const asked = JSON.parse(paused) as Asked | null
  const found = useAtomValue(asked ? replacedAtom(asked) : nothingAtom)
  const [chosen, setChosen] = useState<Readonly<Record<number, boolean>>>({})
  // Never what another name would replace.
  const parts = found?.state === 'ready' && paused === given ? found.data : []
  const isEnded = ({ id, is_likely }: Replaced) => chosen[id] ?? is_likely
  return {
    day: asked?.day,
    parts,
    isEnded,
    toggle: (part: Replaced) => setChosen({ ...chosen, [part.id]: !isEnded(part) }),
    ended: parts.filter(isEnded),
  }
}

type Props = Pick<ReturnType<typeof useReplaced>, 'parts' | 'day' | 'isEnded' | 'toggle'>

/** Asks whether the parts that a new one replaces end. */
export function Replaces({ parts, day, isEnded, toggle }: Props) {
  const formats = useFormats()
  const today = useAtomValue(todayAtom)
  if (parts.length === 0 || day === undefined) return null
  return (
    <ul className={styles.replaces} data-wide>
      {parts.map((part) => (
        <li key={part.id}>
          <label>
            <input type="checkbox" checked={isEnded(part)} onChange={() => toggle(part)} />
            {replacesLabel(part.name, day, today, formats)}
          </label>
          {isEnded(part) && <Reason id={part.id} />}
        </li>
      ))}
    </ul>
  )
}

function Reason({ id }: { id: number }) {
  const [reason, choose] = useAtom(reasonAtom(id))
  return <ReasonSelect label="Why it came off" value={reason} onChange={choose} />
}
