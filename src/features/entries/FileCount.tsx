import { counted } from '../../lib/formats.ts'
import styles from './FileCount.module.css'
import type { Item } from './fields.ts'

/** Says beside an entry's name how many photos and receipts it has. */
export function FileCount({ item: { file_count = 0 } }: { item: Pick<Item, 'file_count'> }) {
  if (file_count === 0) return null
  const name = counted(file_count, 'photo or receipt', 'photos and receipts')
  return (
    <span className={styles.count} title={name}>
      <svg
        viewBox="0 0 16 16"
        width="12"
        height="12"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        aria-hidden
      >
        <path
          d="m13.5 7.5-5.6 5.6a3.4 3.4 0 0 1-4.8-4.8L9 2.4a2.3 2.3 0 0 1 3.2 3.2L6.5 11.3a1.1 1.1 0 0 1-1.6-1.6l5-5"
          strokeLinecap="round"
        />
      </svg>
      <span aria-hidden>{file_count}</span>
      <span className="visually-hidden">{name}</span>
    </span>
  )
}
