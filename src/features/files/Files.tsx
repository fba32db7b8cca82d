import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useId, useRef } from 'react'

import { lazyDialog } from '../../components/lazy-screen.tsx'
import { Failure } from '../../components/ResourceView.tsx'
import { addressAtom } from '../../lib/address.ts'
import { formatCount } from '../../lib/formats.ts'
import { type Item, knownAs } from '../entries/fields.ts'
import { type EntryFile, filesAtom, storedFilesAtom } from './atoms.ts'
import styles from './Files.module.css'
import { AddIcon, CameraIcon, PhotoIcon } from './icons.tsx'
import { Thumbnail } from './Thumbnail.tsx'
import {
  addFilesAtom,
  dismissAtom,
  MAX_FILES,
  type OnItsWay,
  onTheWayAtom,
  sendAgainAtom,
} from './uploads.ts'
import { useGivenFiles } from './use-given-files.ts'

const Viewer = lazyDialog(() => import('./Viewer.tsx'))

const ACCEPTED = 'image/*,.heic,.heif,application/pdf'

/** Shows and adds the photos and receipts of an entry, with those of its part's other periods. */
export function Files({ item }: { item: Item }) {
  const headingId = useId()
  const section = useRef<HTMLElement>(null)
  const stored = useAtomValue(storedFilesAtom(item.part_id))
  const reload = useSetAtom(storedFilesAtom(item.part_id).reloadAtom)
  const files = useAtomValue(filesAtom(item.part_id))
  const onTheWay = useAtomValue(onTheWayAtom).filter(({ entry }) => entry === knownAs(item))
  const addFiles = useSetAtom(addFilesAtom)

  const own = files.filter(({ item_id }) => item_id === item.id)
  const others = files.filter(({ item_id }) => item_id !== item.id)
  const coming = onTheWay.filter(({ problem }) => !problem)
  const count = own.length + coming.length
  const waiting = own.filter(({ waits }) => waits).length + coming.length
  const add = (given: readonly File[]) => void addFiles(item, given, count)
  useGivenFiles(section, add)

  const hasRoom = count < MAX_FILES
  return (
    <section ref={section} className={styles.files} aria-labelledby={headingId} data-files>
      <h3 id={headingId} className="heading">
        Photos and receipts
      </h3>
      <p className="note">
        {count > 0 && `${formatCount(own.length)} of ${MAX_FILES}`}
        {waiting > 0 && `, ${formatCount(waiting)} on the way`}
      </p>
      <ul className={styles.row}>
        {/* On a touchscreen, the camera and the photos are one tap away each. */}
        {hasRoom && (
          <>
            <AddTile add={add} className={styles.touch} isCamera>
              <CameraIcon />
              Camera
            </AddTile>
            <AddTile add={add} className={styles.touch}>
              <PhotoIcon />
              Choose
            </AddTile>
          </>
        )}
        {coming.map((one) => (
          <li key={one.key}>
            <Progress one={one} />
          </li>
        ))}
        {own.map((file) => (
          <Tile key={file.id} file={file} />
        ))}
        {hasRoom && (
          <AddTile add={add} className={styles.mouse}>
            <AddIcon />
            Add
            <span className="tiny">drop or paste</span>
          </AddTile>
        )}
      </ul>
      {stored.state === 'failed' && item.part_id > 0 && (
        <Failure what="Photos and receipts could not be loaded." error={stored.error} retry={reload} isLine />
      )}
      {onTheWay.map((one) => one.problem && <Problem key={one.key} item={item} one={one} />)}
      {others.length > 0 && (
        <>
          <h4>From its other periods</h4>
          <ul className={styles.row}>
            {others.map((file) => (
              <Tile key={file.id} file={file} />
            ))}
          </ul>
        </>
      )}
      <OpenFile files={[...own, ...others]} />
    </section>
  )
}

/** Back closes what is shown whole. */
function OpenFile({ files }: { files: readonly EntryFile[] }) {
  const [address, setAddress] = useAtom(addressAtom)
  const file = files.find(({ id }) => `${id}` === address['file'])
  const show = (id: number | null) =>
    setAddress({ set: { file: id === null ? null : `${id}` }, by: id === null ? 'close' : 'replace' })
  return file && <Viewer file={file} files={files} onShow={show} onClose={() => show(null)} />
}

function Tile({ file }: { file: EntryFile }) {
  const setAddress = useSetAtom(addressAtom)
  return (
    <li>
      <button
        type="button"
        className={styles.tile}
        aria-label={file.waits ? `${file.name}, waiting` : file.name}
        title={file.name}
        onClick={() => setAddress({ set: { file: `${file.id}` }, by: 'open' })}
      >
        <Thumbnail file={file} />
        {file.waits && <span className={styles.state}>Waiting</span>}
      </button>
    </li>
  )
}

function Progress({ one: { name, sent } }: { one: OnItsWay }) {
  const value = sent === null ? undefined : Math.round(sent * 100)
  return (
    <div className={styles.tile} title={name}>
      <progress aria-label={`Adding ${name}`} max={100} value={value} />
      <span className={styles.state} aria-hidden>
        {value === undefined ? 'Preparing' : `${value}%`}
      </span>
    </div>
  )
}

type AddTileProps = {
  add: (files: readonly File[]) => void
  className: string | undefined
  isCamera?: boolean
  children: ReactNode
}

function AddTile({ add, className, isCamera = false, children }: AddTileProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <li className={className}>
      <button type="button" className={styles.add} onClick={() => input.current!.click()}>
        {children}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File"
        accept={isCamera ? 'image/*' : ACCEPTED}
        {...(isCamera ? { capture: 'environment' } : { multiple: true })}
        onChange={({ target }) => {
          add([...(target.files ?? [])])
          // So the same file can be chosen again.
          target.value = ''
        }}
      />
    </li>
  )
}

function Problem({ item, one }: { item: Item; one: OnItsWay }) {
  const dismiss = useSetAtom(dismissAtom)
  const sendAgain = useSetAtom(sendAgainAtom)
  const { key, prepared, problem } = one
  return (
    <div role="alert" className={styles.problem}>
      <p>{problem?.message}</p>
      {!problem?.isFinal && prepared && (
        <button type="button" onClick={() => void sendAgain(item, one)}>
          Try again
        </button>
      )}
      <button type="button" className="quiet" onClick={() => dismiss(key)}>
        Dismiss
      </button>
    </div>
  )
}
