import { atom } from 'jotai'
import * as v from 'valibot'

import { ownerIdAtom } from '../features/session/atoms.ts'
import { backendAtom } from '../lib/backend.ts'
import { preferenceAtom } from '../lib/preference.ts'
import { callSql } from '../lib/functions.ts'
import { touchHereAtom } from '../lib/resource.ts'

const storedAtom = preferenceAtom('stored-time-zone', '', v.string())

/** Stores the browser's time zone, which the functions use to compute "today". Retried on the next visit. */
export const storeTimeZoneAtom = atom(null, async (get, set) => {
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone
  const stored = `${get(ownerIdAtom)} ${name}`
  if (get(storedAtom) === stored) return
  const isChanged = await callSql(get(backendAtom).client, 'set_time_zone', { name }).catch(() => null)
  if (isChanged === null) return
  set(storedAtom, stored)
  // Due tasks may have been computed with the previous zone's "today".
  if (isChanged) set(touchHereAtom, ['rides'])
})
