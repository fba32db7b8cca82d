import { atom, useAtom } from 'jotai'
import { lazy, Suspense } from 'react'

import type { Action } from './actions.ts'

const SecondFactorDialog = lazy(() => import('../features/session/SecondFactorDialog.tsx'))

const isOpenAtom = atom(false)

/** Only offered where Auth supports it. */
export const openSecondFactor: Action = {
  label: 'Second factor',
  action: atom(null, (_get, set) => set(isOpenAtom, true)),
  changesData: true,
}

export function SecondFactor() {
  const [isOpen, setOpen] = useAtom(isOpenAtom)
  return (
    isOpen && (
      <Suspense fallback={null}>
        <SecondFactorDialog onClose={() => setOpen(false)} />
      </Suspense>
    )
  )
}
