import { atom, useAtomValue, useSetAtom } from 'jotai'
import { memo, type MouseEvent, useMemo } from 'react'

import { todayAtom } from '../../../lib/clock.ts'
import { dayOf } from '../../../lib/days.ts'
import { useFormats } from '../../../lib/formats.ts'
import { draftedFieldsAtom, replaceDraft } from '../../entries/drafts.ts'
import {
  FIELDS,
  isInUse,
  isSameItem,
  isWork,
  type Item,
  knownAs,
  textsIn,
  totalCost,
} from '../../entries/fields.ts'
import { FieldText } from '../../entries/FieldText.tsx'
import { besideName } from '../../entries/Beside.tsx'
import { entryId } from '../../entries/jump.ts'
import { openNewFormAtom } from '../../entries/open-item.ts'
import { isGroupedAtom, shownCostAtom } from '../../entries/shown-items.ts'
import { DetailsButton } from '../details/Details.tsx'
import type { EntriesProps } from '../table/LogTable.tsx'
import { UseCell, UseNote } from '../table/UseCells.tsx'
import styles from './LogLines.module.css'

/** Shows entries where the table doesn't fit: as lines of text, which a tap opens. */
export function LogLines({ gearId, items, shown, limit, isUpdating }: EntriesProps) {
  const isGrouped = useAtomValue(isGroupedAtom)
  const shownCost = useAtomValue(shownCostAtom)(items)
  const list = (ofGroup: readonly Item[]) => (
    <ul aria-labelledby="bike-name" aria-busy={isUpdating}>
      {ofGroup.map((item) => (
        <ItemLine key={knownAs(item)} item={item} />
      ))}
    </ul>
  )
  const formats = useFormats()
  const rendered = shown.slice(0, limit)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- a larger target for the button in the line
    <div role="presentation" className={styles.lines} onClick={openLine}>
      {isGrouped
        ? groupsOf(shown).map(([type, group]) => (
            <section key={type}>
              <h3 className={styles.group} data-type={type ?? ''}>
                {type ?? 'No type'} <span className="soft">{group.length}</span>
                <strong>{totalCost(group, formats)}</strong>
              </h3>
              {list(rendered.filter((item) => item.type === type))}
            </section>
          ))
        : list(rendered)}
      <NewDraftLine bikeId={gearId} />
      <p className={styles.total}>
        <strong>Total Cost:</strong>
        <span className="note">{shownCost}</span>
        <strong className={styles.amount}>{totalCost(items, formats)}</strong>
      </p>
    </div>
  )
}

const groupsOf = (items: readonly Item[]) => [...Map.groupBy(items, ({ type }) => type)]

/** Opens the entry of a line that is tapped anywhere. */
function openLine({ target }: MouseEvent) {
  if (!(target instanceof Element) || target.closest('a, button')) return
  const button = target.closest('[data-line]')?.querySelector('button')
  // The focus returns to it.
  button?.focus()
  button?.click()
}

/** Compares items by value, because every reload creates new objects. */
const ItemLine = memo(
  function ItemLine({ item }: { item: Item }) {
    const today = useAtomValue(todayAtom)
    const formats = useFormats()
    const { id, type, dateStarted, dateEnded } = item
    const start = FIELDS.dateStarted.format(dateStarted, formats)
    const end = FIELDS.dateEnded.format(dateEnded, formats)
    const since = dayOf(dateStarted) > today ? 'from' : 'since'
    return (
      <li
        id={entryId(id)}
        className={styles.line}
        data-item={id}
        data-entry
        data-line
        data-ended={isInUse(item, today) ? undefined : ''}
      >
        <div className={styles.title}>
          <DetailsButton item={item} className={styles.name} />
          {besideName(item)}
        </div>
        {/* Work isn't ridden. */}
        {!isWork(item) && (
          <div className={styles.use}>
            <UseCell as="div" item={item} field="useMiles" />
            <UseCell as="div" item={item} field="useTime" isPlain />
          </div>
        )}
        <div className={styles.facts}>
          {type !== null && (
            <span className={styles.type} data-type={type}>
              {type}
            </span>
          )}
          <span>{dateEnded === null ? `${since} ${start}` : start}</span>
          {dateEnded !== null && end !== start && <span className={styles.end}>{`–\u00a0${end}`}</span>}
          {item.cost !== 0 && <span>{FIELDS.cost.format(item.cost, formats)}</span>}
          {textsIn('lines', item).map(({ field, text }) => (
            <span key={field} className={styles.text}>
              <FieldText field={field} text={text} />
            </span>
          ))}
        </div>
        <UseNote item={item} />
        <Unsaved bikeId={item.bikeId} entry={`${knownAs(item)}`} />
        <Unsaved bikeId={item.bikeId} entry={replaceDraft(item)} of="Replacement: " />
      </li>
    )
  },
  (before, after) => isSameItem(before.item, after.item),
)

/** Leads back to a new entry that wasn't added. */
function NewDraftLine({ bikeId }: { bikeId: number }) {
  const open = useSetAtom(openNewFormAtom)
  if (!useAtomValue(draftedFieldsAtom(bikeId)).has('new')) return null
  return (
    <div className={styles.line} data-line>
      <button type="button" className={styles.name} onClick={open}>
        New log entry
      </button>
      <Unsaved bikeId={bikeId} entry="new" />
    </div>
  )
}

type UnsavedProps = { bikeId: number; entry: string; of?: string }

/** Says which fields have unsaved changes, as the red tint does in the table. */
function Unsaved({ bikeId, entry, of = '' }: UnsavedProps) {
  const fields = useAtomValue(
    useMemo(
      () =>
        atom((get) => {
          const drafted = get(draftedFieldsAtom(bikeId)).get(entry) ?? []
          return drafted.map((field) => FIELDS[field].label).join(', ')
        }),
      [bikeId, entry],
    ),
  )
  return fields && <p className={styles.unsaved} data-dirty="true">{`Not saved: ${of}${fields}`}</p>
}
