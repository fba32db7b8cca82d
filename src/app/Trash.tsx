import { useAtom } from 'jotai'
import { lazy, Suspense } from 'react'

import { isTrashOpenAtom } from './actions.ts'

const TrashDialog = lazy(() => import('../features/trash/TrashDialog.tsx'))

/** What changed in the log in the last 30 days, to restore it. */
export function Trash() {
  const [isOpen, setOpen] = useAtom(isTrashOpenAtom)
  return (
    isOpen && (
      <Suspense fallback={null}>
        <TrashDialog onClose={() => setOpen(false)} />
      </Suspense>
    )
  )
}
