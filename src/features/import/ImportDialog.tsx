import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'

import { Dialog } from '../../components/Dialog.tsx'
import { closeImportAtom, type Import, importAtom, previewImportAtom, runImportAtom } from './atoms.ts'
import styles from './ImportDialog.module.css'
import { countItems, summaryOf } from './preview.ts'
import { PreviewLists } from './PreviewLists.tsx'

type Props = { file: File; onChooseAnother: () => void; onClose: () => void }

/** Previews what a file would change in the log, and imports it after confirmation. */
export default function ImportDialog({ file, onChooseAnother, onClose }: Props) {
  const shown = useAtomValue(importAtom)
  const preview = useSetAtom(previewImportAtom)
  const run = useSetAtom(runImportAtom)
  const close = useSetAtom(closeImportAtom)
  useEffect(() => {
    void preview(file)
    return close
  }, [preview, close, file])

  const current = shown?.file === file ? shown : ({ file, step: 'loading' } as const)
  const confirm = async () => {
    if (await run()) onClose()
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
  if (shown.step === 'loading') return 'Loading…'
  return shown.step === 'preview' ? summaryOf(shown.preview) : 'Nothing was changed.'
}

function Body({ shown }: { shown: Import }) {
  if (shown.step === 'loading') return null
  const problem = shown.step === 'unreadable' ? shown.message : shown.problem
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

/** Whether every line is valid and at least one changes the log. */
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
      {`Import ${countItems(added.length + changed.length)}`}
    </button>
  )
}
