import { positionBeside } from '../../../../supabase/functions/_shared/messages/kind-messages.ts'
import { useFormats } from '../../../lib/formats.ts'
import type { Item } from '../../entries/fields.ts'
import type { Usage } from '../../entries/usage-api.ts'
import styles from './SellBikeDialog.module.css'

type Props = {
  items: readonly Item[]
  usage: Usage
  /** Ids of parts. */
  chosen: readonly number[]
  onToggle: (part: number) => void
  onChoose: (parts: readonly number[]) => void
}

/** Lists the bike's parts. Those that aren't ticked go to storage. */
export function GoesAlong({ items, usage, chosen, onToggle, onChoose }: Props) {
  const { distance } = useFormats()
  if (items.length === 0) return null
  return (
    <fieldset data-wide className={styles.parts}>
      <legend className="visually-hidden">Goes along</legend>
      <p className={styles.head}>
        <span aria-hidden className="note">
          Goes along
        </span>
        <button type="button" className="link" onClick={() => onChoose(items.map(({ part_id }) => part_id))}>
          All
        </button>
        <button type="button" className="link" onClick={() => onChoose([])}>
          None
        </button>
      </p>
      {items.map(({ id, part_id, name, type, position }) => {
        const isSold = chosen.includes(part_id)
        const ridden = distance.format(usage.byItem.get(id)?.distance)
        return (
          <label key={id} className={styles.part}>
            <input type="checkbox" checked={isSold} onChange={() => onToggle(part_id)} />
            <span className={styles.name}>{name}</span>
            <span className={styles.about}>
              <span>{[type, positionBeside(name, position)].filter(Boolean).join(', ')}</span>
              <span>{ridden}</span>
            </span>
            <span className={isSold ? 'soft' : styles.stored}>{isSold ? 'sold' : 'to storage'}</span>
          </label>
        )
      })}
    </fieldset>
  )
}
