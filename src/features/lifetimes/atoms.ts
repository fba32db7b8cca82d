import { atom } from 'jotai'

import { announceAtom } from '../../components/announcements.tsx'
import { toggle } from '../../components/Choices.tsx'
import { addressAtom } from '../../lib/address.ts'
import { backendAtom } from '../../lib/backend.ts'
import { todayAtom } from '../../lib/clock.ts'
import type { Day } from '../../lib/days.ts'
import { formatsAtom, quote } from '../../lib/formats.ts'
import { PARTS_AND_COSTS } from '../../lib/inputs.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { clearAtom, typeAtom } from '../entries/cell.ts'
import { type Field, FIELDS } from '../entries/fields.ts'
import { logAtom } from '../entries/log.ts'
import { attempt } from '../journal/mutate.ts'
import { type WhatIfItem, type Group, readLifetimes } from './api.ts'

export const allLifetimesAtom = resourceAtom(
  { reads: ['rides', PARTS_AND_COSTS], cacheAs: 'lifetimes' },
  (get, { signal }) => {
    get(todayAtom)
    return readLifetimes(get(backendAtom).client, {}, signal)
  },
)

/** The chosen filters. An empty string means no filter. */
export type Choice = { type: string; bike: string; from: string; to: string }
export const choiceAtom = atom<Choice>({ type: '', bike: '', from: '', to: '' })

/** The names of the open kinds. Stored in the address, so a link opens a kind and Back from a part's page opens them again. */
export const openKindsAtom = atom(
  (get) => get(addressAtom)['kind']?.split(',') ?? [],
  (get, set, name: string) => {
    const open = toggle(get(openKindsAtom), name)
    set(addressAtom, { set: { kind: open.length === 0 ? null : open.join(',') }, by: 'replace' })
  },
)

const isFilteredAtom = atom((get) => {
  const { bike, from, to } = get(choiceAtom)
  return bike !== '' || from !== '' || to !== ''
})

const chosenAtom = resourceAtom({ reads: ['rides', PARTS_AND_COSTS] }, (get, { signal }) => {
  const { bike, from, to } = get(choiceAtom)
  get(todayAtom)
  const filter = {
    ...(bike !== '' && { gear_id: Number(bike) }),
    ...(from !== '' && { from: `${from}-01-01` as Day }),
    ...(to !== '' && { to: `${to}-12-31` as Day }),
  }
  return readLifetimes(get(backendAtom).client, filter, signal)
})

/** The lifetimes that match the bike and date filters. The type filter only hides groups. */
export const lifetimesAtom = atom((get) => get(get(isFilteredAtom) ? chosenAtom : allLifetimesAtom))

export const reloadLifetimesAtom = atom(null, async (get, set) => {
  await Promise.all([set(allLifetimesAtom.reloadAtom), get(isFilteredAtom) && set(chosenAtom.reloadAtom)])
})

export const mergeAtom = atom(null, (get, set, group: Group, name: string) => {
  const names = group.lifetimes.flatMap(({ item_ids }) => item_ids.map((id) => ({ id, name })))
  return attempt(
    get,
    set,
    'rename_items',
    { names },
    {
      subject: quote(group.name),
      done: 'renamed',
      message: `${quote(group.name)} is now ${quote(name)}.`,
    },
  )
})

/** Copies a what-if's values into a bike's log as drafts. SAVE saves each draft. */
export const fillEditorsAtom = atom(null, (get, set, bikeId: number, compared: readonly WhatIfItem[]) => {
  const log = get(logAtom(bikeId))
  if (log.state !== 'ready') return
  const formats = get(formatsAtom)
  let count = 0
  for (const { item_id, follows, dateStarted, dateEnded, cost } of compared) {
    const item = log.data.find(({ id }) => id === item_id)
    if (!item || !follows) continue
    const values = { dateStarted, dateEnded, cost } satisfies Partial<Record<Field, unknown>>
    for (const field of ['dateStarted', 'dateEnded', 'cost'] as const) {
      const text = FIELDS[field].format(values[field], formats)
      if (text === FIELDS[field].format(item[field], formats)) continue
      count += 1
      if (text === '') set(clearAtom, item, field)
      else set(typeAtom, item, field, text)
    }
  }
  set(announceAtom, count === 0 ? 'Nothing to change.' : `Fields changed: ${count}. Save each one.`)
})
