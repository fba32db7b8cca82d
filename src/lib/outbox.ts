import { atom, type Getter, type Setter } from 'jotai'
import { unwrap } from 'jotai/utils'

import { backendAtom } from './backend.ts'
import { storedUser } from './stored-session.ts'
import { AppError } from './errors.ts'
import { deleteOutbox, loadOutbox, openOutbox, updateList } from './outbox-storage.ts'
import { repeatWhenTouched, resourceGenerationAtom } from './resource.ts'
import { nextInSequence } from './sequence.ts'
import { tellOtherTabs } from './touch.ts'
import {
  isAsked,
  rowsOf,
  savedIdsAtom,
  type SavedIds,
  savedRows,
  sentAtom,
  type Waiting,
  waitingAtom,
} from './waiting.ts'
import { addedFor, without } from './waiting-rows.ts'
import { newUuid } from './writes.ts'

type List = readonly Waiting[]

export const ownerOf = (get: Getter) => storedUser(get(backendAtom).config)?.id

function trackerOf(get: Getter): string {
  const { supabaseUrl, publishableKey } = get(backendAtom).config
  return `${supabaseUrl} ${publishableKey}`
}

type Stored = Awaited<ReturnType<typeof loadOutbox>>

/** The changes that wait for the signed-in owner in this browser, also after another tab has changed it. Undefined while it loads. */
export const storedOutboxAtom = unwrap(
  atom(async (get): Promise<Stored> => {
    get(resourceGenerationAtom)
    repeatWhenTouched(get, ['outbox'])
    const owner = ownerOf(get)
    if (owner === undefined) return { list: [], saved: new Map() }
    await openOutbox(owner, trackerOf(get), fromEarlierOwner)
    return loadOutbox(owner)
  }),
)

/** Asks before a change of the tracker's earlier owner is sent: the restored log may hold it already. */
const fromEarlierOwner = (one: Waiting): Waiting => ({
  ...one,
  refusal: one.refusal ?? {
    code: 'earlier_owner',
    message: 'It waited when this tracker had another account, such as before a restore.',
    stored: null,
  },
})

/** Shows what is stored. What another tab has saved stays on the screen until it is read again. */
export const showOutboxAtom = atom(null, (get, set, { list, saved }: Stored) => {
  for (const change of get(waitingAtom)) {
    const ids = rowsOf(change).flatMap(({ id }) => saved.get(id) ?? [])
    if (ids.length > 0 && list.every(({ key }) => key !== change.key)) set(showSavedAtom, change, ids)
  }
  set(savedIdsAtom, saved)
  set(waitingAtom, list)
})

/** Shows a saved change until it is read again, with the IDs of what it has added. */
export const showSavedAtom = atom(null, (_get, set, change: Waiting, ids: readonly SavedIds[]) => {
  set(savedIdsAtom, (all) => new Map([...all, ...savedRows(change, ids)]))
  set(sentAtom, (all) => [...all, { change, ids, order: nextInSequence() }])
})

/** Clears this tab's copy, so the next user of this browser tab doesn't see the previous user's changes. */
export const clearWaitingAtom = atom(null, (_get, set) => {
  set(waitingAtom, [])
  set(sentAtom, [])
  set(savedIdsAtom, new Map())
})

/** Changes the owner's list, here and in other tabs. Throws if this browser can't store it. */
export async function changeList(
  get: Getter,
  set: Setter,
  by: (all: List) => List,
  { onChanged, bytes }: { onChanged?: () => void; bytes?: ReadonlyMap<string, ArrayBuffer> } = {},
): Promise<void> {
  const owner = ownerOf(get)
  if (owner === undefined) throw new AppError('unauthorized', 'No session')
  const all = await updateList(owner, trackerOf(get), by, bytes)
  // Another user may have signed in meanwhile.
  if (ownerOf(get) !== owner) return
  onChanged?.()
  set(waitingAtom, all)
  tellOtherTabs(['outbox'])
}

type New = Pick<Waiting, 'command' | 'input' | 'key' | 'subject' | 'items' | 'wasTried' | 'wasUndated'>

/** Keeps a change until it can be sent, with the content of its file. Resolves to it once it is stored. */
export async function enqueue(
  get: Getter,
  set: Setter,
  given: New,
  bytes?: ReadonlyMap<string, ArrayBuffer>,
): Promise<Waiting> {
  let added = given as Waiting
  const add = (all: List) => {
    // Also lower than those of other changes if the clock was set back, or they were made just now.
    const taken = [...all.flatMap(rowsOf).map((row) => row.id), ...get(savedIdsAtom).keys()]
    const id = Math.min(-Date.now(), ...taken.map((one) => Math.ceil(one) - 1))
    const rows = addedFor(added).map((_one, index) => ({ id: id - index, part: id - index }))
    added = { ...added, id, rows }
    return [...all.filter(({ key }) => key !== added.key), added]
  }
  await changeList(get, set, add, bytes && { bytes })
  // Asked now, because browsers refuse it to pages without anything to lose.
  void (navigator as Partial<Navigator>).storage?.persist?.()
  return added
}

/** Forgets what waits for an owner, even while it is being sent. Call it on Sign Out. */
export const discardWaitingAtom = atom(null, async (get, set, owner: string) => {
  await deleteOutbox(owner)
  if (ownerOf(get) === owner) set(clearWaitingAtom)
  tellOtherTabs(['outbox'])
})

/**
 * Removes a change with what depends on it, even while it is being sent. If it may have been saved, its undo takes its place.
 * Resolves to false if it doesn't wait any more.
 */
export const removeWaitingAtom = atom(null, async (get, set, key: string): Promise<boolean> => {
  if (!get(waitingAtom).some((one) => one.key === key)) return false
  let isFound = false
  await changeList(get, set, (all) => {
    const removed = all.find((one) => one.key === key)
    isFound = removed !== undefined
    return removed ? all.flatMap((one) => (one === removed ? remains(one) : without(removed, one))) : all
  })
  return isFound
})

/** Returns what stays of a removed change. The tracker has decided that a refused one isn't saved. */
const remains = (one: Waiting): List =>
  one.wasTried && (!one.refusal || isAsked(one.refusal)) ? [takingBack(one)] : []

/** Returns the undo of a change that may have been saved. */
const takingBack = ({ key, id, subject }: Waiting): Waiting => ({
  command: 'undo',
  input: { change: key, even_unsaved: true },
  key: newUuid(),
  id: id - 0.5,
  subject,
  wasTried: false,
})

/** Sends a refused change again: over the values that another device has stored, or next to what it has done. */
export const saveMineAtom = atom(null, (get, set, key: string) =>
  changeList(get, set, (all) => all.flatMap((one) => (one.key === key ? mine(one) : one))),
)

function mine({ refusal, ...one }: Waiting): List {
  const again = one as Waiting
  const anew = { ...again, key: newUuid(), wasTried: false }
  // The key belongs to an earlier version.
  if (refusal?.code === 'RMT07') return [takingBack(again), anew]
  // The key may be too old to keep it from being saved twice.
  if (isAsked(refusal)) return [...remains(again), anew]
  if (again.command === 'mark_done' && refusal?.code === 'PT409')
    return [{ ...again, input: { ...again.input, seen: Number.MAX_SAFE_INTEGER } }]
  if ((again.command === 'edit_row' || again.command === 'correct_event') && refusal?.stored)
    return [{ ...again, input: { ...again.input, shown: refusal.stored } } as Waiting]
  return [again]
}
