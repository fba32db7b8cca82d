import { atom, useAtomValue } from 'jotai'
import { memo, type MouseEvent, useMemo, useRef, useState } from 'react'

import { useLostFocus } from '../../../components/lost-focus.ts'
import { todayAtom } from '../../../lib/clock.ts'
import { dayOf } from '../../../lib/days.ts'
import { useFormats } from '../../../lib/formats.ts'
import { draftedItemsAtom } from '../data/drafts.ts'
import {
  COLUMN_NAMES,
  type Field,
  FIELDS,
  isInUse,
  isSameItem,
  type Item,
  textsIn,
  totalCost,
} from '../data/fields.ts'
import { FieldText } from '../data/FieldText.tsx'
import { entryId } from '../data/jump.ts'
import { isItemOpenAtom } from '../data/open-item.ts'
import { DetailsButton, OpenDetails } from '../details/Details.tsx'
import { ItemEntry } from '../table/ItemEntry.tsx'
import styles from './LogCards.module.css'
import { type EntriesProps, MarkupContext, nameId, NameIdContext } from '../table/markup.tsx'
import { NewRow } from '../table/NewRow.tsx'
import { isGroupedAtom, shownCostAtom } from '../data/shown-items.ts'
import { UseCell, UseNote } from '../table/UseCells.tsx'

const isShort = (field: Field) => Number(FIELDS[field].editor !== 'text')

const MARKUP = {
  entry: 'fieldset' as const,
  cell: 'div' as const,
  // The long texts come first, on lines of their own.
  fields: COLUMN_NAMES.toSorted((one, other) => isShort(one) - isShort(other)),
  unstored: styles.open,
}

/** Renders entries where the table doesn't fit: two lines of text each. */
export function LogCards({ bikeId, items, shown, limit, isUpdating }: EntriesProps) {
  const isGrouped = useAtomValue(isGroupedAtom)
  const shownCost = useAtomValue(shownCostAtom)(items)
  const list = (ofGroup: readonly Item[]) => (
    <ul aria-labelledby="bike-name" aria-busy={isUpdating}>
      {ofGroup.map((item) => (
        <ItemCard key={item.id} item={item} />
      ))}
    </ul>
  )
  const formats = useFormats()
  const rendered = shown.slice(0, limit)
  return (
    <MarkupContext value={MARKUP}>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- a larger target for the button in the card */}
      <div role="presentation" className={styles.cards} onClick={openLine}>
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
        <NewRow bikeId={bikeId} />
        <p className={styles.total}>
          <strong>Total Cost:</strong>
          <span className="note">{shownCost}</span>
          <strong className={styles.amount}>{totalCost(items, formats)}</strong>
        </p>
      </div>
    </MarkupContext>
  )
}

const groupsOf = (items: readonly Item[]) => [...Map.groupBy(items, ({ type }) => type)]

/** Opens the details of a line that is tapped anywhere or, if they are open, its fields. */
function openLine({ target }: MouseEvent) {
  if (!(target instanceof Element) || target.closest('a, button')) return
  const buttons = target.closest('[data-line]')?.querySelectorAll<HTMLElement>('button')
  if (buttons) [...buttons].at(-1)?.click()
}

/** Compares items by value, because every reload creates new objects. */
const ItemCard = memo(
  function ItemCard({ item }: { item: Item }) {
    const { id } = item
    const card = useRef<HTMLLIElement>(null)
    const isOpen = useAtomValue(isItemOpenAtom(id))
    const isEdited = useIsEdited(item)
    const isEnded = !isInUse(item, useAtomValue(todayAtom))
    const [isEditing, setEditing] = useState(false)
    if (isEditing && !isOpen) setEditing(false)
    const areFieldsShown = isEditing || isEdited
    // Showing or hiding the fields replaces the focused element. Opening another card closes this one.
    const hasFocus = useRef(false)
    useLostFocus(areFieldsShown, () => hasFocus.current && card.current?.querySelector('button'))
    return (
      <NameIdContext value={nameId(item)}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only notes where the focus is */}
        <li
          ref={card}
          onFocus={() => {
            hasFocus.current = true
          }}
          onBlur={() => {
            hasFocus.current = false
          }}
          data-ended={isEnded ? '' : undefined}
        >
          {areFieldsShown ? (
            <ItemEntry item={item} className={styles.open} aria-label={item.name} />
          ) : (
            <Line item={item} isOpen={isOpen} onEdit={() => setEditing(true)} />
          )}
          <OpenDetails item={item} />
        </li>
      </NameIdContext>
    )
  },
  (before, after) => isSameItem(before.item, after.item),
)

/** Returns whether an item has unsaved changes, which keep its card open. */
function useIsEdited({ id, bikeId }: Item): boolean {
  const isEditedAtom = useMemo(() => atom((get) => get(draftedItemsAtom(bikeId)).includes(id)), [id, bikeId])
  return useAtomValue(isEditedAtom)
}

type LineProps = { item: Item; isOpen: boolean; onEdit: () => void }

/**
 * Shows an item as text on two lines, which are cheap to scroll and can't be edited by accident. The first tap opens the
 * details, the second tap the fields.
 */
function Line({ item, isOpen, onEdit }: LineProps) {
  const today = useAtomValue(todayAtom)
  const formats = useFormats()
  const { id, type, dateStarted, dateEnded } = item
  const start = FIELDS.dateStarted.format(dateStarted, formats)
  const end = FIELDS.dateEnded.format(dateEnded, formats)
  const since = dayOf(dateStarted) > today ? 'from' : 'since'
  return (
    <div id={entryId(id)} className={styles.line} data-item={id} data-entry data-line>
      <DetailsButton item={item} className={styles.name} />
      <div className={styles.use}>
        <UseCell item={item} field="useMiles" />
        <UseCell item={item} field="useTime" isPlain />
      </div>
      <div className={styles.facts}>
        {type !== null && (
          <span className={styles.type} data-type={type}>
            {type}
          </span>
        )}
        <span>{dateEnded === null ? `${since} ${start}` : start}</span>
        {dateEnded !== null && <span className={styles.end}>{`–\u00a0${end}`}</span>}
        <span>{FIELDS.cost.format(item.cost, formats)}</span>
        {textsIn('lines', item).map(({ field, text }) => (
          <span key={field} className={styles.text}>
            <FieldText field={field} text={text} />
          </span>
        ))}
      </div>
      <UseNote item={item} />
      {isOpen && (
        <button type="button" className={styles.edit} aria-label={`Edit ${item.name}`} onClick={onEdit}>
          Edit
        </button>
      )}
    </div>
  )
}
