import type { ReactNode } from 'react'

import { Skeleton } from '../../components/Skeleton.tsx'
import { type EntryFile, isPicture } from './atoms.ts'
import { DocumentIcon } from './icons.tsx'
import { useFileUrl } from './use-file-url.ts'
import type { ZoomControls } from './use-zoom.ts'
import styles from './Viewer.module.css'

type Props = { file: EntryFile; zoom: ZoomControls; download: ReactNode }

/** Stays the same element when another file is shown, so it keeps the focus, and a swipe turns documents, too. */
export function Stage({ file, zoom: controls, download }: Props) {
  const { zoom, stage, handlers } = controls
  const label = isPicture(file) ? `Photo ${file.name}. Plus and minus zoom.` : `Document ${file.name}`
  return (
    <div
      ref={stage}
      className={styles.stage}
      role="group"
      aria-label={label}
      data-stage
      data-zoomed={zoom.scale > 1 ? '' : undefined}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys turn and zoom while it has the focus
      tabIndex={0}
      {...handlers}
    >
      {isPicture(file) ? (
        <Picture key={file.id} file={file} zoom={controls} />
      ) : (
        <div className={styles.document}>
          <DocumentIcon />
          <p>{file.name}</p>
          {download}
        </div>
      )}
    </div>
  )
}

function Picture({ file, zoom: { zoom, picture } }: Omit<Props, 'download'>) {
  const url = useFileUrl(file, 'whole')
  const { scale, x, y } = zoom
  if (url === null) return <Skeleton width="60%" height="60%" />
  if (url === undefined) {
    return <p className="soft">The photo could not be loaded. Check your connection and try again.</p>
  }
  return (
    <img
      ref={picture}
      src={url}
      alt={file.name}
      draggable={false}
      style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}
    />
  )
}
