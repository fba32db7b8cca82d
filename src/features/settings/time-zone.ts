import { atom } from 'jotai'
import * as v from 'valibot'

import { notifyFailure } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { runCommand } from '../../lib/commands.ts'
import { callSql } from '../../lib/functions.ts'
import { preferenceAtom } from '../../lib/preference.ts'
import { browserZone, knownZoneAtom, timeZoneAtom } from '../../lib/time-zone.ts'
import { failureMessage, newUuid } from '../../lib/writes.ts'

/** Reads the owner's time zone. A new tracker takes this browser's. Retried on the next visit. */
export const readTimeZoneAtom = atom(null, async (get, set) => {
  const zone = await callSql(get(backendAtom).client, 'time_zone', {}).catch(() => undefined)
  if (zone === null) await set(saveTimeZoneAtom, browserZone())
  else if (zone !== undefined) set(knownZoneAtom, zone)
})

const savesAtom = atom(() => ({ last: Promise.resolve() as Promise<unknown> }))

/** Saves the owner's time zone, from which "today" follows on all devices. */
export const saveTimeZoneAtom = atom(null, async (get, set, name: string) => {
  const before = get(knownZoneAtom)
  set(knownZoneAtom, name)
  // One at a time, so the last choice is the one that stays.
  const saves = get(savesAtom)
  const save = saves.last.then(() => runCommand(get, set, 'set_time_zone', { name }, newUuid()))
  saves.last = save.catch(() => undefined)
  try {
    await save
  } catch (cause) {
    set(knownZoneAtom, before)
    notifyFailure(failureMessage('The time zone', 'saved', cause))
  }
})

/** The time zone of this browser that the owner didn't want. */
export const keptZoneAtom = preferenceAtom('other-time-zone', '', v.string())

/** This browser's time zone, if it isn't the owner's and the owner hasn't answered. Null: nothing to offer. */
export const offeredZoneAtom = atom((get) => {
  const zone = browserZone()
  const isKnown = get(knownZoneAtom) !== ''
  return isKnown && zone !== get(timeZoneAtom) && zone !== get(keptZoneAtom) ? zone : null
})
