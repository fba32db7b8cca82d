import { positionBeside } from '../../../supabase/functions/_shared/messages/kind-messages.ts'
import styles from './Beside.module.css'
import { FileCount } from './FileCount.tsx'
import type { Item } from './fields.ts'

/** Says beside an entry's name where the part is. Renders nothing if the name says it. */
export function PositionBeside({ item: { name, position } }: { item: Pick<Item, 'name' | 'position'> }) {
  const text = positionBeside(name, position)
  return text === null ? null : <span className={styles.position}>{` ${text}`}</span>
}

/** Returns what stands beside an entry's name in the log, or null. */
export function besideName(item: Item) {
  const { name, position, file_count = 0 } = item
  if (positionBeside(name, position) === null && file_count === 0) return null
  return (
    <>
      <PositionBeside item={item} />
      <FileCount item={item} />
    </>
  )
}
