import { useAtomValue } from 'jotai'

import { isPicture } from './atoms.ts'
import styles from './Files.module.css'
import { passportFilesAtom } from './passport.ts'
import { Thumbnail } from './Thumbnail.tsx'

/** Shows the photos of an entry that are in the passport, and names its receipts. */
export function PassportFiles({ itemId }: { itemId: number }) {
  const all = useAtomValue(passportFilesAtom)
  if (all.state !== 'ready') return null
  const files = all.data.filter(({ item_id }) => item_id === itemId)
  const photos = files.filter(isPicture)
  const receipts = files.filter((file) => !isPicture(file)).map(({ name }) => name)
  return (
    <>
      {receipts.length > 0 && <p>{`Receipts: ${receipts.join(', ')}`}</p>}
      {photos.length > 0 && (
        <ul className={styles.photos}>
          {photos.map((file) => (
            <li key={file.id}>
              <Thumbnail file={file} isEager />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
