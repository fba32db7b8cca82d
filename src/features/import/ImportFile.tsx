import { useState } from 'react'

import { lazyDialog } from '../../components/lazy-screen.tsx'

// Loaded when the first file is chosen, because it includes the CSV parser.
const ImportDialog = lazyDialog(() => import('./ImportDialog.tsx'))

const FIELD = 'import-file'

/** Opens the file picker. The dialog then previews the file and writes nothing until confirmed. */
export function chooseImportFile(): void {
  document.getElementById(FIELD)?.click()
}

export function ImportFile() {
  const [file, setFile] = useState<File | null>(null)
  return (
    <>
      <input
        id={FIELD}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label="Log as CSV"
        onChange={({ currentTarget }) => {
          setFile(currentTarget.files?.[0] ?? null)
          // Otherwise, choosing the same file again would not fire a change event.
          currentTarget.value = ''
        }}
      />
      {file && <ImportDialog file={file} onChooseAnother={chooseImportFile} onClose={() => setFile(null)} />}
    </>
  )
}
