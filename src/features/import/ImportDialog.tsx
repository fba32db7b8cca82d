import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'

import { Dialog } from '../../components/Dialog.tsx'
import { forgetImportAtom, type Import, importAtom, readImportAtom, writeImportAtom } from './atoms.ts'
import styles from './ImportDialog.module.css'
import { PreviewLists } from './PreviewLists.tsx'
import { counted, summaryOf } from './words.ts'

type Props = { file: File; onChooseAnother: () => void; onClose: () => void }

/** Shows what a file would do to the log, and does it when the owner says so. */
export default function ImportDialog({ file, onChooseAnother, onClose }: Props) {
  const shown = useAtomValue(importAtom)
  const read = useSetAtom(readImportAtom)
  const write = useSetAtom(writeImportAtom)
  const forget = useSetAtom(forgetImportAtom)
  useEffect(() => {
    void read(file)
    return forget
  }, [read, forget, file])

  const current = shown?.file === file ? shown : ({ file, step: 'reading' } as const)
  const confirm = async () => {
    if (await write()) onClose()
  }

  return (
    <Dialog
      title={`Import ${file.name}`}
      lead={<p role="status">{leadOf(current)}</p>}
      onClose={onClose}
      actions={
        <>
          {!isImportable(current) && (
            <button type="button" className={styles.another} onClick={onChooseAnother}>
              Choose another file
            </button>
          )}
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          {isImportable(current) && <ConfirmButton shown={current} onConfirm={() => void confirm()} />}
        </>
      }
    >
      <Body shown={current} />
    </Dialog>
  )
}

function leadOf(shown: Import): string {
  if (shown.step === 'reading') return 'Reading the file and the log…'
  return shown.step === 'preview' ? summaryOf(shown.preview) : 'Nothing is changed.'
}

function Body({ shown }: { shown: Import }) {
  if (shown.step === 'reading') return null
  const problem = shown.step === 'unreadable' ? shown.sentence : shown.problem
  return (
    <>
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      {shown.step === 'preview' && <PreviewLists preview={shown.preview} />}
    </>
  )
}

type Importable = Extract<Import, { step: 'preview' }>

/** There is something to confirm only where every line was understood. */
function isImportable(shown: Import): shown is Importable {
  if (shown.step !== 'preview') return false
  const { added, changed, refused } = shown.preview
  return refused.length === 0 && added.length + changed.length > 0
}

function ConfirmButton({ shown, onConfirm }: { shown: Importable; onConfirm: () => void }) {
  const { added, changed } = shown.preview
  return (
    <button
      type="button"
      className="primary"
      aria-busy={shown.isWriting}
      aria-disabled={shown.isWriting}
      onClick={onConfirm}
    >
      {`Import ${counted(added.length + changed.length, 'record')}`}
    </button>
  )
}
