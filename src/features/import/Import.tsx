import { lazy, Suspense, useRef, useState } from 'react'

import { useReadOnly } from '../../components/read-only.ts'

// What reads a file and shows what it would do is loaded with the first file.
const ImportDialog = lazy(() => import('./ImportDialog.tsx'))

/** Takes the log's CSV back. A file is looked at first; only the dialog's button writes. */
export function Import() {
  const [file, setFile] = useState<File | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const readOnly = useReadOnly()
  const choose = () => field.current?.click()

  return (
    <>
      <button type="button" {...readOnly} onClick={choose}>
        Import
      </button>
      <input
        ref={field}
        type="file"
        accept=".csv,text/csv"
        hidden
        aria-label="The log as CSV"
        onChange={({ currentTarget }) => {
          setFile(currentTarget.files?.[0] ?? null)
          // So that the same file, corrected, can be chosen again.
          currentTarget.value = ''
        }}
      />
      {file && (
        <Suspense fallback={null}>
          <ImportDialog file={file} onChooseAnother={choose} onClose={() => setFile(null)} />
        </Suspense>
      )}
    </>
  )
}
