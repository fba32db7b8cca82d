import { atom, type WritableAtom } from 'jotai'
import { startTransition } from 'react'

import { chooseImportFile } from '../features/import'
import { choosingPasswordAtom } from '../features/session'
import { isShortcutsOpenAtom } from './shortcut-key.ts'

/** What the owner can do from any place: entries of the account menu and the command menu. */
export type Action = {
  label: string
  action: WritableAtom<null, [], void>
  /** Disabled while cached data is shown. */
  changesData?: boolean
}

export const ACTIONS = {
  import: { label: 'Import', action: atom(null, chooseImportFile), changesData: true },
  changePassword: {
    label: 'Change password',
    // A transition, so the screen stays while the card's code loads.
    action: atom(null, (_get, set) => startTransition(() => set(choosingPasswordAtom, true))),
    changesData: true,
  },
  showShortcuts: {
    label: 'Keyboard shortcuts',
    action: atom(null, (_get, set) => set(isShortcutsOpenAtom, true)),
  },
} satisfies Record<string, Action>
