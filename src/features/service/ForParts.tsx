import { useAtomValue } from 'jotai'
import { useState } from 'react'

import { kindPlural, positionBeside } from '../../../supabase/functions/_shared/messages/kind-messages.ts'
import { Choices, toggle } from '../../components/Choices.tsx'
import { bikeNameAtom } from '../bikes/atoms.ts'
import type { Item } from '../entries/fields.ts'
import styles from './TaskDialogs.module.css'

type Props = {
  partId: number
  /** The parts of its kind, itself included. */
  siblings: readonly Item[]
  chosen: readonly number[]
  problem: string | undefined
  onChange: (parts: readonly number[]) => void
}

/** Asks to which parts of a kind a task is added. Renders nothing if there is only one. */
export function ForParts({ partId, siblings, chosen, problem, onChange }: Props) {
  const bikeName = useAtomValue(bikeNameAtom)
  const [isListed, setListed] = useState(chosen.length > 1)
  const own = siblings.find(({ part_id }) => part_id === partId)
  if (!own || siblings.length < 2) return null
  const onBike = siblings.filter(({ bikeId }) => bikeId === own.bikeId)
  const options = [
    { label: 'This one', parts: [own] },
    { label: `${bikeName(own.bikeId)} (${onBike.length})`, parts: onBike },
    { label: `All ${kindPlural(own.kind!)} (${siblings.length})`, parts: siblings },
  ].filter(({ parts }, index, all) => index === 0 || parts.length > all[index - 1]!.parts.length)
  return (
    <div data-wide className={styles.for}>
      <div role="group" aria-label="For" className={styles.common}>
        {options.map(({ label, parts }) => (
          <button
            key={label}
            type="button"
            className="pill"
            aria-pressed={isSame(parts, chosen)}
            onClick={() => {
              setListed(parts.length > 1)
              onChange(parts.map(({ part_id }) => part_id))
            }}
          >
            {label}
          </button>
        ))}
      </div>
      {isListed && (
        <Choices
          legend="Added to"
          options={siblings.map(({ part_id, name, position, bikeId }) => ({
            value: part_id,
            label: name,
            about: [positionBeside(name, position), bikeName(bikeId)].filter(Boolean).join(', '),
            note: part_id === partId && <span className="note">this one</span>,
          }))}
          chosen={chosen}
          onToggle={(part) => onChange(toggle(chosen, part))}
        />
      )}
      {problem !== undefined && <p className="problem">{problem}</p>}
    </div>
  )
}

const isSame = (parts: readonly Item[], chosen: readonly number[]) =>
  parts.length === chosen.length && parts.every(({ part_id }) => chosen.includes(part_id))
