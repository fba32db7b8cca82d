import { useAtomValue, useSetAtom } from 'jotai'
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useState } from 'react'

import { useModal } from '../../components/Dialog.tsx'
import { PopoverButton } from '../../components/PopoverButton.tsx'
import { useReadOnly } from '../../components/read-only.ts'
import { notifyFailure } from '../../components/toasts.tsx'
import { localDay } from '../../lib/days.ts'
import { messageFor, toAppError } from '../../lib/errors.ts'
import { quote, useFormats } from '../../lib/formats.ts'
import { saveFile } from '../../lib/save-file.ts'
import { formatSize } from '../../lib/sizes.ts'
import { failureMessage, newUuid } from '../../lib/writes.ts'
import { editFileAtom, type EntryFile, isPicture, removeFileAtom } from './atoms.ts'
import { RenameDialog } from './RenameDialog.tsx'
import { Stage } from './Stage.tsx'
import { Thumbnail } from './Thumbnail.tsx'
import { fileReaderAtom } from './use-file-url.ts'
import { useZoom } from './use-zoom.ts'
import styles from './Viewer.module.css'

type Props = {
  file: EntryFile
  files: readonly EntryFile[]
  onShow: (id: number) => void
  onClose: () => void
}

/** Shows one of an entry's files whole. */
export default function Viewer({ file, files, onShow, onClose }: Props) {
  const modal = useModal(onClose)
  const titleId = useId()
  const index = files.indexOf(file)
  const turn = (by: number) => {
    const next = files[index + by]
    if (next) onShow(next.id)
  }
  const zoom = useZoom(isPicture(file) ? file.id : null, turn)
  const { stage } = zoom
  useLayoutEffect(() => stage.current?.focus(), [stage])

  /** Shows a neighbor of the removed file. */
  const leave = () => {
    const next = files[index + 1] ?? files[index - 1]
    if (next) onShow(next.id)
    else onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isOnStage = event.target instanceof HTMLElement && event.target.dataset['stage'] !== undefined
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return
    if (event.key === 'ArrowLeft') turn(-1)
    else if (event.key === 'ArrowRight') turn(1)
    // Single characters only work on the picture, because they interfere with dictation.
    else if (isOnStage && (event.key === '+' || event.key === '=')) zoom.by(1.5)
    else if (isOnStage && event.key === '-') zoom.by(1 / 1.5)
    else return
    event.preventDefault()
  }

  return (
    <dialog {...modal} className={styles.viewer} aria-labelledby={titleId} onKeyDown={onKeyDown}>
      <Head file={file} titleId={titleId} onRemoved={leave} onClose={onClose}>
        {isPicture(file) && (
          <span className={styles.zoom}>
            <button type="button" className="quiet" aria-label="Zoom out" onClick={() => zoom.by(1 / 1.5)}>
              −
            </button>
            <output>{`${Math.round(zoom.zoom.scale * 100)}%`}</output>
            <button type="button" className="quiet" aria-label="Zoom in" onClick={() => zoom.by(1.5)}>
              +
            </button>
          </span>
        )}
      </Head>
      <Stage file={file} zoom={zoom} download={<DownloadButton file={file} />} />
      {files.length > 1 && (
        <>
          <TurnButton
            label="Previous"
            sign="‹"
            side={styles.previous}
            isEnd={index === 0}
            onClick={() => turn(-1)}
          />
          <TurnButton
            label="Next"
            sign="›"
            side={styles.next}
            isEnd={index === files.length - 1}
            onClick={() => turn(1)}
          />
          <div className={styles.strip}>
            <ul>
              {files.map((one) => (
                <li key={one.id}>
                  <button
                    type="button"
                    aria-label={one.name}
                    aria-current={one === file ? 'true' : undefined}
                    onClick={() => onShow(one.id)}
                  >
                    <Thumbnail file={one} />
                  </button>
                </li>
              ))}
            </ul>
            <p role="status" className="note">{`${index + 1} of ${files.length}`}</p>
          </div>
        </>
      )}
    </dialog>
  )
}

type TurnProps = {
  label: string
  sign: string
  side: string | undefined
  isEnd: boolean
  onClick: () => void
}

/** Stays in place at the end, so it keeps the focus. */
const TurnButton = ({ label, sign, side, isEnd, onClick }: TurnProps) => (
  <button
    type="button"
    className={`${styles.turn} ${side}`}
    aria-label={label}
    aria-disabled={isEnd}
    onClick={onClick}
  >
    {sign}
  </button>
)

type HeadProps = {
  file: EntryFile
  titleId: string
  onRemoved: () => void
  onClose: () => void
  children: ReactNode
}

function Head({ file, titleId, onRemoved, onClose, children }: HeadProps) {
  const formats = useFormats()
  const remove = useSetAtom(removeFileAtom)
  const readOnly = useReadOnly()
  const [isRenaming, setRenaming] = useState(false)
  const { id, name, size, added_at, waits } = file
  const about = [formats.day(localDay(new Date(added_at))), formatSize(size), ...(waits ? ['waiting'] : [])]
  const actions = (
    <>
      <PassportChoice file={file} />
      <button type="button" onClick={() => setRenaming(true)}>
        Rename…
      </button>
      <DownloadButton file={file} />
      <button type="button" {...readOnly} onClick={() => void remove(file, onRemoved)}>
        Remove
      </button>
    </>
  )
  return (
    <div className={styles.head}>
      <div className={styles.name}>
        <h2 id={titleId} className="truncated">
          {name}
        </h2>
        <p className="note">{about.join(', ')}</p>
      </div>
      {children}
      {/* Only what was sent can be changed. */}
      {id > 0 && (
        <>
          <div className={styles.actions}>{actions}</div>
          <div className={styles.menu}>
            <PopoverButton label="More" isQuiet>
              {() => actions}
            </PopoverButton>
          </div>
        </>
      )}
      <button type="button" aria-label="Close" onClick={onClose}>
        ✕
      </button>
      {isRenaming && <RenameDialog file={file} onClose={() => setRenaming(false)} />}
    </div>
  )
}

function PassportChoice({ file }: { file: EntryFile }) {
  const edit = useSetAtom(editFileAtom)
  const readOnly = useReadOnly('edit_row')
  const [chosen, setChosen] = useState<boolean | null>(null)
  const choose = async (in_passport: boolean) => {
    setChosen(in_passport)
    try {
      await edit(file, { in_passport }, newUuid())
    } catch (cause) {
      notifyFailure(failureMessage(quote(file.name), 'changed', cause))
    } finally {
      setChosen(null)
    }
  }
  return (
    <label className={styles.choice}>
      <input
        type="checkbox"
        checked={chosen ?? file.in_passport}
        {...readOnly}
        onChange={({ target }) => void choose(target.checked)}
      />
      In the passport
    </label>
  )
}

function DownloadButton({ file }: { file: EntryFile }) {
  const read = useAtomValue(fileReaderAtom)
  const [isBusy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      saveFile(fileName(file), await read(file, 'whole', new AbortController().signal), file.media_type)
    } catch (cause) {
      notifyFailure(`${quote(file.name)} was not downloaded. ${messageFor(toAppError(cause))}`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <button type="button" aria-busy={isBusy} onClick={() => void (isBusy || download())}>
      Download
    </button>
  )
}

const EXTENSIONS: Record<string, string> = {
  'image/webp': 'webp',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'application/pdf': 'pdf',
}

/** Returns a file's name with the extension of what it has become. */
const fileName = ({ name, media_type }: EntryFile) =>
  `${name.replace(/\.(jpe?g|png|webp|heic|heif|pdf)$/i, '')}.${EXTENSIONS[media_type] ?? 'bin'}`
