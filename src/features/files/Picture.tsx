import { Skeleton } from '../../components/Skeleton.tsx'
import type { EntryFile } from './atoms.ts'
import { useFileUrl } from './use-file-url.ts'
import type { ZoomControls } from './use-zoom.ts'
import styles from './Viewer.module.css'

type Props = { file: EntryFile; zoom: ZoomControls }

export function Picture({ file, zoom: { zoom, stage, picture, handlers } }: Props) {
  const url = useFileUrl(file, 'whole')
  const { scale, x, y } = zoom
  return (
    <div
      ref={stage}
      className={styles.stage}
      role="group"
      aria-label={`Photo ${file.name}. Plus and minus zoom.`}
      data-stage
      data-zoomed={scale > 1 ? '' : undefined}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- plus and minus zoom while it has the focus
      tabIndex={0}
      {...handlers}
    >
      {url === null && <Skeleton width="60%" height="60%" />}
      {url === undefined && (
        <p className="soft">The photo could not be loaded. Check your connection and try again.</p>
      )}
      {typeof url === 'string' && (
        <img
          ref={picture}
          src={url}
          alt={file.name}
          draggable={false}
          style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}
        />
      )}
    </div>
  )
}
