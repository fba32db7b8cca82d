import { useAtomValue } from 'jotai'
import type { MouseEvent } from 'react'

import { todayAtom } from '../../lib/clock.ts'
import { useFormats } from '../../lib/formats.ts'
import { type Item, isInUse, totalCost } from '../items/fields.ts'
import { CARD_FIELDS } from './card-fields.ts'
import { ItemCard } from './ItemCard.tsx'
import styles from './LogCards.module.css'
import { type EntriesProps, MarkupContext } from './markup.tsx'
import { NewRow } from './NewRow.tsx'
import { isGroupedAtom, shownCostAtom } from './shown-items.ts'

const MARKUP = { entry: 'fieldset', cell: 'div', fields: CARD_FIELDS, unstored: styles.open } as const

/** Renders entries where the table doesn't fit: two lines of text each. */
export function LogCards({ bikeId, items, shown, limit, isUpdating }: EntriesProps) {
  const today = useAtomValue(todayAtom)
  const isGrouped = useAtomValue(isGroupedAtom)
  const shownCost = useAtomValue(shownCostAtom)(items)
  const list = (ofGroup: readonly Item[]) => (
    <ul aria-labelledby="bike-name" aria-busy={isUpdating}>
      {ofGroup.map((item) => (
        <ItemCard key={item.id} item={item} isEnded={!isInUse(item, today)} />
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
