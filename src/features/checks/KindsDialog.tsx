import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { type KindAndPosition, UNKNOWN_KIND } from '../../../supabase/functions/_shared/kinds.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { ResourceDialog } from '../../components/ResourceDialog.tsx'
import { failureMessage, newUuid } from '../../lib/writes.ts'
import { counted, formatCount, useFormats } from '../../lib/formats.ts'
import { dayOf } from '../../lib/days.ts'
import { bikeNameAtom } from '../bikes/atoms.ts'
import { KindChooser } from '../editors/KindChooser.tsx'
import { nameKindsAtom } from '../editors/name-kinds.ts'
import { compareTimes, type Item } from '../entries/fields.ts'
import { allItemsAtom } from '../entries/log.ts'
import { loadedProposerAtom } from '../entries/proposals.ts'
import styles from './KindsDialog.module.css'

type Props = { partIds: readonly number[]; onClose: () => void }

/** Asks what several parts are. One change says it of all. */
export default function KindsDialog({ partIds, onClose }: Props) {
  return (
    <ResourceDialog title={titleOf(partIds.length)} reads={[allItemsAtom]} onClose={onClose}>
      {(items) => <KindsForm parts={latestItems(items, partIds)} onClose={onClose} />}
    </ResourceDialog>
  )
}

const titleOf = (count: number) => `${counted(count, 'part')} ${count === 1 ? 'has' : 'have'} no kind`

function latestItems(items: readonly Item[], partIds: readonly number[]): Item[] {
  const ordered = items.toSorted((a, b) => compareTimes(b.dateStarted, a.dateStarted) || b.id - a.id)
  return partIds.flatMap((id) => ordered.find(({ part_id }) => part_id === id) ?? [])
}

function KindsForm({ parts, onClose }: { parts: readonly Item[]; onClose: () => void }) {
  const [chosen, setChosen] = useState<ReadonlyMap<number, KindAndPosition>>(new Map())
  const [key] = useState(newUuid)
  const proposer = useAtomValue(loadedProposerAtom)
  const nameKinds = useSetAtom(nameKindsAtom)
  const lines = parts.map((item) => ({
    item,
    value: chosen.get(item.part_id) ?? proposer?.kindOf(item) ?? UNKNOWN_KIND,
    isChosen: chosen.has(item.part_id),
  }))
  const named = lines.filter(({ value, isChosen }) => isChosen || value.kind !== null)
  const form = {
    isChanged: chosen.size > 0,
    async submit() {
      try {
        await nameKinds(
          named.map(({ item, value }) => ({ id: item.part_id, ...value })),
          key,
        )
        return null
      } catch (cause) {
        return failureMessage('The kinds', 'saved', cause)
      }
    },
  }
  const proposed = named.filter(({ isChosen }) => !isChosen).length
  return (
    <FormDialog
      title={titleOf(parts.length)}
      lead="A part’s kind says what it replaces and what it is compared with. Proposals are dashed."
      label={`Save ${counted(named.length, 'kind')}`}
      form={form}
      isBlocked={named.length === 0}
      onClose={onClose}
    >
      <ul className={styles.parts} data-wide>
        {lines.map(({ item, value, isChosen }) => (
          <li key={item.part_id}>
            <PartName item={item} />
            <KindChooser
              value={value}
              isProposed={!isChosen}
              of={item.name}
              onChange={(now) => setChosen(new Map(chosen).set(item.part_id, now))}
            />
          </li>
        ))}
      </ul>
      <p className="note" data-wide>
        {`${formatCount(proposed)} proposed, ${formatCount(chosen.size)} chosen, ${formatCount(lines.length - named.length)} open`}
      </p>
    </FormDialog>
  )
}

/** Names a part, its bike and its days, because parts may have the same name. */
function PartName({ item }: { item: Item }) {
  const formats = useFormats()
  const bikeName = useAtomValue(bikeNameAtom)
  const start = formats.day(dayOf(item.dateStarted))
  const when = item.dateEnded === null ? `since ${start}` : `${start} – ${formats.day(dayOf(item.dateEnded))}`
  return (
    <span className={styles.name}>
      {item.name}
      <span className="tiny">{`${bikeName(item.bikeId)}, ${when}`}</span>
    </span>
  )
}
