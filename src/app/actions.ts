import { atom, type WritableAtom } from 'jotai'

import { notifyFailure } from '../components/toasts.tsx'
import { openSettingsAtom, selectedBikeAtom } from '../features/bikes/atoms.ts'
import { exportBackupAtom, exportLogAtom } from '../features/export/atoms.ts'
import { chooseImportFile } from '../features/import/ImportFile.tsx'
import { discardDraftsAtom, hasDraftsAtom } from '../features/entries/drafts.ts'
import { jumpToAtom } from '../features/entries/jump.ts'
import { logViewAtom } from '../features/entries/open-item.ts'
import { rotatingAtom } from '../features/entries/rotating.ts'
import { settingUpAtom } from '../features/entries/set-up.ts'
import { choosingPasswordAtom, ownerIdAtom, signOutAtom } from '../features/session/atoms.ts'
import { saveSettingsAtom } from '../features/settings/save.ts'
import { syncRidesAtom } from '../features/sync/atoms.ts'
import { type Listed, listedAtom } from '../features/journal/atoms.ts'
import { addressAtom, clearAddress } from '../lib/address.ts'
import { backendAtom, type Client } from '../lib/backend.ts'
import { messageFor, toAppError } from '../lib/errors.ts'
import { discardWaitingAtom } from '../lib/outbox.ts'
import { waitingAtom } from '../lib/waiting.ts'
import type { Settings } from '../lib/settings.ts'
import { type DialogName, openDialogAtom } from './dialogs.tsx'

/** An entry in the account menu or the command menu. */
export type Action = {
  label: string
  action: WritableAtom<null, [], void>
  /** Disables the entry while cached data is shown. */
  changesData?: boolean
  needsBike?: boolean
  /** Whether it does something, instead of opening something. */
  actsAtOnce?: boolean
  /** Other words for it, which the command menu finds. */
  keywords?: string
}

/** Moves focus to the page content. Call it after changing the content. */
export function focusContent(): void {
  document.querySelector('main')?.focus({ preventScroll: true })
}

export const isAskingToSignOutAtom = atom(false)

export const discardAndSignOutAtom = atom(null, async (get, set) => {
  const ownerId = get(ownerIdAtom)
  set(isAskingToSignOutAtom, false)
  // First, because the tracker may not answer, and the owner may close the tab.
  if (ownerId !== null) {
    set(discardDraftsAtom, ownerId)
    await set(discardWaitingAtom, ownerId)
  }
  await stopNotifications(get(backendAtom).client)
  try {
    await set(signOutAtom)
    clearAddress()
  } catch (cause) {
    notifyFailure(`Could not sign out. ${messageFor(toAppError(cause))}`)
  }
})

/** Turns off notifications in this browser. Never throws, so sign-out continues if this fails. */
async function stopNotifications(client: Client) {
  try {
    await (await import('../features/reminders/push.ts')).forgetBrowser(client)
  } catch (cause) {
    console.warn('Could not turn off notifications', cause)
  }
}

const saveSettings = (wanted: Partial<Settings>) =>
  atom(null, (_get, set) => void set(saveSettingsAtom, wanted))

const openSettings = (section?: string) =>
  atom(null, (_get, set) => {
    set(openSettingsAtom, section)
    focusContent()
  })

const openDialog = (name: DialogName) => atom(null, (_get, set) => set(openDialogAtom, name))

const openHistory = (listed: Listed) =>
  atom(null, (_get, set) => {
    set(listedAtom, listed)
    set(openDialogAtom, 'history')
  })

/** In command menu order. */
export const ACTIONS = {
  addRow: {
    label: '+ADD ROW',
    action: atom(null, (_get, set) => {
      set(logViewAtom, 'table')
      set(jumpToAtom, 'new')
    }),
    needsBike: true,
  },
  updateRides: {
    label: 'Update Rides from RWGPS',
    action: atom(null, (_get, set) => void set(syncRidesAtom)),
    changesData: true,
    actsAtOnce: true,
    keywords: 'sync refresh',
  },
  partsList: {
    label: 'Parts list',
    action: atom(null, (_get, set) => {
      set(logViewAtom, 'parts-list')
      focusContent()
    }),
    needsBike: true,
  },
  passport: {
    label: 'Passport',
    action: atom(null, (_get, set) => {
      set(addressAtom, { set: { view: 'parts-list', detail: 'service', tab: null, item: null }, by: 'push' })
      focusContent()
    }),
    needsBike: true,
  },
  bikeDetails: {
    label: 'Serial number, size, color…',
    action: openDialog('bikeDetails'),
    changesData: true,
    needsBike: true,
    keywords: 'frame details',
  },
  sellBike: {
    label: 'Sell this bike…',
    action: openDialog('sellBike'),
    changesData: true,
    needsBike: true,
    keywords: 'sold price buyer retire give away',
  },
  setUpBike: {
    label: 'Set up this bike',
    action: atom(null, (get, set) => set(settingUpAtom, get(selectedBikeAtom))),
    changesData: true,
    needsBike: true,
  },
  rotate: {
    label: 'Rotate tires…',
    action: atom(null, (get, set) => set(rotatingAtom, get(selectedBikeAtom))),
    changesData: true,
    needsBike: true,
  },
  import: {
    label: 'Import',
    action: atom(null, chooseImportFile),
    changesData: true,
    actsAtOnce: true,
    keywords: 'csv spreadsheet sheet strava lubelogger odometer',
  },
  exportLog: {
    label: 'Export the maintenance log (CSV)',
    action: atom(null, (_get, set) => void set(exportLogAtom, null)),
    actsAtOnce: true,
  },
  exportBikeLog: {
    label: 'Export the log of this bike (CSV)',
    action: atom(null, (get, set) => void set(exportLogAtom, get(selectedBikeAtom))),
    needsBike: true,
    actsAtOnce: true,
  },
  exportBackup: {
    label: 'Export everything (JSON)',
    action: atom(null, (_get, set) => void set(exportBackupAtom)),
    actsAtOnce: true,
    keywords: 'backup',
  },
  whatChanged: { label: 'What changed', action: openDialog('whatChanged'), keywords: 'sync history' },
  settings: {
    label: 'Settings',
    action: openSettings(),
    keywords: 'units currency euros time zone dates account version offline tokens api assistant backup',
  },
  history: { label: 'History', action: openHistory('all'), keywords: 'undo' },
  trash: { label: 'Trash', action: openHistory('deletions'), keywords: 'deleted restore' },
  calendarFeed: { label: 'Calendar feed', action: openSettings('notifications'), keywords: 'reminders' },
  notifications: {
    label: 'Notifications',
    action: openSettings('notifications'),
    keywords: 'reminders push ntfy webhook',
  },
  useMiles: {
    label: 'Use miles',
    action: saveSettings({ distance: 'mi' }),
    changesData: true,
    actsAtOnce: true,
  },
  useKilometers: {
    label: 'Use kilometers',
    action: saveSettings({ distance: 'km' }),
    changesData: true,
    actsAtOnce: true,
  },
  showShortcuts: {
    label: 'Keyboard shortcuts',
    action: openDialog('shortcuts'),
    keywords: 'help keys',
  },
  changePassword: {
    label: 'Change password',
    action: atom(null, (_get, set) => set(choosingPasswordAtom, true)),
    changesData: true,
  },
  secondFactor: {
    label: 'Two-factor authentication',
    action: openSettings('access'),
    keywords: '2fa authenticator app',
  },
  signOut: {
    label: 'Sign Out',
    action: atom(null, (get, set) =>
      set(hasDraftsAtom) || get(waitingAtom).length > 0
        ? set(isAskingToSignOutAtom, true)
        : void set(discardAndSignOutAtom),
    ),
    actsAtOnce: true,
    keywords: 'log out logout',
  },
} satisfies Record<string, Action>
