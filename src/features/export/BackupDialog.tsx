import { useSetAtom } from 'jotai'
import { useState } from 'react'

import { Dialog } from '../../components/Dialog.tsx'
import { counted } from '../../lib/formats.ts'
import { formatSize } from '../../lib/sizes.ts'
import { saveBackupAtom } from './atoms.ts'

/** In a backup, three bytes are four characters. */
const sizeInBackup = (bytes: number) => formatSize((bytes * 4) / 3)

type Props = { files: { files: number; bytes: number }; onClose: () => void }

/** Says how large the photos and receipts make a backup, and asks whether they are to be in it. */
export default function BackupDialog({ files: { files, bytes }, onClose }: Props) {
  const save = useSetAtom(saveBackupAtom)
  const [hasFiles, setHasFiles] = useState(true)
  return (
    <Dialog
      title="Export everything"
      closeLabel="Cancel"
      onClose={onClose}
      actions={
        <button
          type="button"
          className="primary"
          onClick={() => {
            onClose()
            void save(!hasFiles)
          }}
        >
          Export
        </button>
      }
    >
      <label className="row">
        <input type="checkbox" checked={hasFiles} onChange={({ target }) => setHasFiles(target.checked)} />
        {`${counted(files, 'photo or receipt', 'photos and receipts')}, about ${sizeInBackup(bytes)}`}
      </label>
      <p className="note">Without them, a restore has all entries, but none of their photos and receipts.</p>
    </Dialog>
  )
}
