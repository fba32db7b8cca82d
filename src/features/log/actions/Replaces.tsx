import { atom, useAtomValue } from 'jotai'
import { useState } from 'react'

import type { KindAndPosition } from '../../../../supabase/functions/_shared/kinds.ts'
import { usePaused } from '../../../components/use-pause.ts'
import { todayAtom } from '../../../lib/clock.ts'
import { type Day, dayOf } from '../../../lib/days.ts'
import { type Formats, useFormats } from '../../../lib/formats.ts'
import type { EntryValues } from '../../entries/entry-form.ts'
import { type Asked, type Replaced, replacedAtom } from '../../entries/replaced.ts'
import type { Reason } from './api.ts'
import { ReasonSelect } from './ReasonSelect.tsx'
import styles from './Replaces.module.css'

/** Says what ends: `Replaces: René Herse, pair · ends today`. */
export const replacesLabel = (name: string, day: Day, today: Day, formats: Formats): string =>
  `Replaces: ${name} · ends ${day === today ? 'today' : formats.day(day)}`

/** A part that ends when another one starts. */
export type Ended = Pick<Replaced, 'id' | 'name'> & { ended_as: Reason }

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Returns what a new entry asks for, or null if the entry isn't of a known part in use. */
export function partIn(
  values: EntryValues,
  { kind, position }: KindAndPosition,
  gear_id: number,
  today: Day,
): Asked | null {
  const start = text(values.dateStarted)
  const day = start === undefined ? today : dayOf(start)
  if (kind === null || text(values.dateEnded) !== undefined || day > today) return null
  return { gear_id, day, kind, position }
}

const nothingAtom = atom(null)

/** Returns what a new part replaces, and what of it the owner lets end. */
export function useReplaced(part: Asked | null) {
  const given = JSON.stringify(part)
  const paused = usePaused(given)
  const asked = JSON.parse(paused) as Asked | null
  const found = useAtomValue(asked ? replacedAtom(asked) : nothingAtom)
  const [chosen, setChosen] = useState<Readonly<Record<number, boolean>>>({})
  const [reasons, setReasons] = useState<Readonly<Record<number, Reason>>>({})
  // Never what another name would replace.
  const parts = found?.state === 'ready' && paused === given ? found.data : []
  const isEnded = ({ id, is_likely }: Replaced) => chosen[id] ?? is_likely
  const reasonOf = (id: number) => reasons[id] ?? 'worn'
  return {
    day: asked?.day,
    parts,
    isEnded,
    toggle: (part: Replaced) => setChosen({ ...chosen, [part.id]: !isEnded(part) }),
    reasonOf,
    giveReason: (id: number, reason: Reason) => setReasons({ ...reasons, [id]: reason }),
    ended: parts.filter(isEnded).map(({ id, name }): Ended => ({ id, name, ended_as: reasonOf(id) })),
  }
}

type Props = Omit<ReturnType<typeof useReplaced>, 'ended'>

/** Asks whether the parts that a new one replaces end. */
export function Replaces({ parts, day, isEnded, toggle, reasonOf, giveReason }: Props) {
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
          {isEnded(part) && (
            <ReasonSelect
              label="Why it came off"
              value={reasonOf(part.id)}
              onChange={(reason) => giveReason(part.id, reason)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
