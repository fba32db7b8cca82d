import { useAtom } from 'jotai'
import { lazy, Suspense } from 'react'

import { isCalendarFeedOpenAtom } from './actions.ts'

const CalendarDialog = lazy(() => import('../features/reminders/CalendarDialog.tsx'))

/** The dialog that the account menu opens. */
export function CalendarFeed() {
  const [isOpen, setOpen] = useAtom(isCalendarFeedOpenAtom)
  return (
    isOpen && (
      <Suspense fallback={null}>
        <CalendarDialog onClose={() => setOpen(false)} />
      </Suspense>
    )
  )
}
