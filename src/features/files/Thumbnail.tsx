import { useEffect, useRef, useState } from 'react'

import { type EntryFile, isPicture } from './atoms.ts'
import styles from './Files.module.css'
import { DocumentIcon, PhotoIcon } from './icons.tsx'
import { useFileUrl } from './use-file-url.ts'

type Props = {
  file: EntryFile
  /** Whether the picture loads although it isn't seen, as for printing, which is also when it has a text. */
  isEager?: boolean
}

/** Shows a file small. A picture's thumbnail loads when it is seen. */
export function Thumbnail({ file, isEager = false }: Props) {
  const place = useRef<HTMLSpanElement>(null)
  const [isSeen, setSeen] = useState(isEager)
  const isShown = isPicture(file) && file.has_thumbnail
  useEffect(() => {
    if (!isShown || isSeen) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      setSeen(true)
      observer.disconnect()
    })
    observer.observe(place.current!)
    return () => observer.disconnect()
  }, [isShown, isSeen])
  const url = useFileUrl(isShown && isSeen ? file : null, 'thumbnail')
  return (
    <span ref={place} className={styles.thumbnail}>
      {typeof url === 'string' ? (
        <img src={url} alt={isEager ? file.name : ''} draggable={false} />
      ) : (
        <>
          {isPicture(file) ? <PhotoIcon /> : <DocumentIcon />}
          <span className="truncated">{file.name}</span>
        </>
      )}
    </span>
  )
}
