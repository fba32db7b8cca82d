import { useAtom } from 'jotai'
import { lazy, Suspense } from 'react'

import { isNotificationsOpenAtom } from './actions.ts'

const NotificationsDialog = lazy(() => import('../features/reminders/NotificationsDialog.tsx'))

/** The dialog that the account menu opens. */
export function Notifications() {
  const [isOpen, setOpen] = useAtom(isNotificationsOpenAtom)
  return (
    isOpen && (
      <Suspense fallback={null}>
        <NotificationsDialog onClose={() => setOpen(false)} />
      </Suspense>
    )
  )
}
