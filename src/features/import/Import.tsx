import { lazy, Suspense, useRef, useState } from 'react'

import { useReadOnly } from '../../components/read-only.ts'

// Loaded when the first file is chosen, because it includes the CSV parser.
const ImportDialog = lazy(() => import('./ImportDialog.tsx'))

/** Imports a CSV export of the log. The dialog previews the file; only its button writes. */
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
        aria-label="Log as CSV"
        onChange={({ currentTarget }) => {
          setFile(currentTarget.files?.[0] ?? null)
          // Otherwise, choosing the same file again would not fire a change event.
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
