import { atom, useAtomValue } from 'jotai'
import { memo, useMemo, useRef, useState } from 'react'

import { useLostFocus } from '../../components/lost-focus.ts'
import { todayAtom } from '../../lib/clock.ts'
import { dayOf } from '../../lib/days.ts'
import { useFormats } from '../../lib/formats.ts'
import { draftedItemsAtom } from '../items/drafts.ts'
import { FIELDS, isSameItem, type Item } from '../items/fields.ts'
import { entryId } from '../log-view/jump.ts'
import { isItemOpenAtom } from '../log-view/open-item.ts'
import { DeleteCell } from './DeleteItem.tsx'
import { DetailsSlot } from './Details.tsx'
import { DetailsButton } from './DetailsButton.tsx'
import { FieldCell } from './FieldEditor.tsx'
import styles from './LogCards.module.css'
import { CARD_FIELDS } from './card-fields.ts'
import { Entry, nameId, NameIdContext } from './markup.tsx'
import { ReplaceLine } from './ReplaceLine.tsx'
import { UseCell, UseNote } from './UseCells.tsx'

type Props = { item: Item; isEnded: boolean }

/** Compares items by value, because every reload creates new objects. */
export const ItemCard = memo(
  function ItemCard({ item, isEnded }: Props) {
    const { id } = item
    const card = useRef<HTMLLIElement>(null)
    const isOpen = useAtomValue(isItemOpenAtom(id))
    const isEdited = useIsEdited(item)
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
            <Entry id={entryId(id)} className={styles.open} data-item={id} aria-label={item.name}>
              {CARD_FIELDS.map((field) => (
                <FieldCell
                  key={field}
                  item={item}
                  field={field}
                  lead={field === 'name' && <DetailsButton item={item} />}
                />
              ))}
              <UseCell item={item} field="useMiles">
                <UseNote item={item} />
              </UseCell>
              <UseCell item={item} field="useTime" />
              <DeleteCell item={item} />
            </Entry>
          ) : (
            <Line item={item} isOpen={isOpen} onEdit={() => setEditing(true)} />
          )}
          {isOpen && (
            <>
              <ReplaceLine item={item} />
              <DetailsSlot item={item} />
            </>
          )}
        </li>
      </NameIdContext>
    )
  },
  (before, after) => before.isEnded === after.isEnded && isSameItem(before.item, after.item),
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
  const { id, type, dateStarted, dateEnded, description } = item
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
        {description !== null && <span className={styles.description}>{description}</span>}
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
