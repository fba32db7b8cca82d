import { atom, useAtom, useAtomValue } from 'jotai'
import { useEffect } from 'react'

import { lazyDialog } from '../components/lazy-screen.tsx'
import { movingAtom } from '../features/entries/moving.ts'
import { rotatingAtom } from '../features/entries/rotating.ts'
import { settingUpAtom } from '../features/entries/set-up.ts'
import { serviceDialogAtom } from '../features/service/open-dialog.ts'
import { hasShortcutKeyAtom, opensShortcuts } from './shortcut-key.ts'

const DIALOGS = {
  shortcuts: lazyDialog(() => import('./ShortcutsDialog.tsx')),
  history: lazyDialog(() => import('../features/journal/HistoryDialog.tsx')),
  sellBike: lazyDialog(() => import('../features/log/sale/SellBikeDialog.tsx')),
  bikeDetails: lazyDialog(() => import('../features/log/sale/BikeDetailsDialog.tsx')),
  whatChanged: lazyDialog(() => import('../features/sync/changes/WhatChanged.tsx')),
}

export type DialogName = keyof typeof DIALOGS

export const openDialogAtom = atom<DialogName | null>(null)

const SetUpDialog = lazyDialog(() => import('../features/log/set-up/SetUpDialog.tsx'))
const MoveItemDialog = lazyDialog(() => import('../features/log/actions/MoveItemDialog.tsx'))
const RotateDialog = lazyDialog(() => import('../features/log/actions/RotateDialog.tsx'))
const ServiceDialog = lazyDialog(() => import('../features/service/ServiceDialog.tsx'))

/** Renders open dialogs that must outlive the menu, task or toast that opened them. */
export function Dialogs() {
  const [name, open] = useAtom(openDialogAtom)
  const [service, setService] = useAtom(serviceDialogAtom)
  const [settingUp, setUp] = useAtom(settingUpAtom)
  const [moving, setMoving] = useAtom(movingAtom)
  const [rotating, setRotating] = useAtom(rotatingAtom)
  const hasShortcutKey = useAtomValue(hasShortcutKeyAtom)
  const Dialog = name && DIALOGS[name]

  useEffect(() => {
    if (!hasShortcutKey) return undefined
    const press = (event: KeyboardEvent) => {
      if (!opensShortcuts(event)) return
      event.preventDefault()
      open('shortcuts')
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [hasShortcutKey, open])

  return (
    <>
      {Dialog && <Dialog onClose={() => open(null)} />}
      {settingUp && <SetUpDialog key={settingUp.gear_id} bike={settingUp} onClose={() => setUp(null)} />}
      {moving && <MoveItemDialog key={moving.id} kind="move" item={moving} onClose={() => setMoving(null)} />}
      {rotating && <RotateDialog bike={rotating} kind={rotating.kind} onClose={() => setRotating(null)} />}
      {service && <ServiceDialog onClose={() => setService(null)} />}
    </>
  )
}
