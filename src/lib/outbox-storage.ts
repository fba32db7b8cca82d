import { createStore, get, promisifyRequest, update } from 'idb-keyval'

import type { SavedIds, Waiting } from './waiting.ts'

// Apart from the cache, which is cleared when a session ends.
const store = createStore('outbox', 'changes')

/** The IDs of what saved changes have added, by the ID that stood for it. */
type Saved = ReadonlyMap<number, SavedIds>

const savedKey = (owner: string) => `${owner}/saved`
const trackerKey = (owner: string) => `${owner}/tracker`
/** Not by owner, because the list says whose it is. */
const bytesKey = (name: string) => `bytes/${name}`

/**
 * Opens an owner's list on a tracker. What waits for the same tracker's earlier owners comes first, changed by `from`: a tracker that
 * was restored into a new database has a new owner. Never rejects.
 */
export async function openOutbox(
  owner: string,
  tracker: string,
  from: (one: Waiting) => Waiting,
): Promise<void> {
  try {
    // In one transaction, so no other tab adopts the same changes.
    await store('readwrite', async (rows) => {
      const keys = (await promisifyRequest(rows.getAllKeys())) as string[]
      const names = keys.filter((name) => !name.startsWith(bytesKey('')))
      const values = await Promise.all(names.map((name) => promisifyRequest<unknown>(rows.get(name))))
      const all = new Map(names.map((name, index) => [name, values[index]]))
      const earlier = [...all.keys()].filter((one) => one !== owner && all.get(trackerKey(one)) === tracker)
      if (earlier.length === 0) return
      const listOf = (one: string) => (all.get(one) ?? []) as Waiting[]
      const savedOf = (one: string) => (all.get(savedKey(one)) ?? new Map()) as Saved
      rows.put([...earlier.flatMap(listOf).map(from), ...listOf(owner)], owner)
      rows.put(tracker, trackerKey(owner))
      rows.put(new Map([...earlier, owner].flatMap((one) => Array.from(savedOf(one)))), savedKey(owner))
      for (const name of earlier.flatMap(namesOf)) rows.delete(name)
      await promisifyRequest(rows.transaction)
    })
  } catch {
    // There is nothing if IndexedDB is missing or blocked.
  }
}

const namesOf = (owner: string) => [owner, savedKey(owner), trackerKey(owner)]

/** Reads what waits for an owner, and the IDs of what was saved. Both are empty if IndexedDB is missing or blocked. */
export async function loadOutbox(owner: string): Promise<{ list: readonly Waiting[]; saved: Saved }> {
  try {
    // In this order, because a change is recorded as saved before it leaves the list.
    const list = await get<Waiting[]>(owner, store)
    return { list: list ?? [], saved: (await get<Saved>(savedKey(owner), store)) ?? new Map() }
  } catch {
    return { list: [], saved: new Map() }
  }
}

/** The content of the files that are in a list, by name. */
type Bytes = ReadonlyMap<string, ArrayBuffer>

const bytesIn = (list: readonly Waiting[]) =>
  new Set(list.flatMap(({ command, input }) => (command === 'add_file' ? [input.bytes] : [])))

/**
 * Changes an owner's list on a tracker in one transaction, also against other tabs, with the content of files that it adds.
 * Throws if this browser can't store it.
 */
export async function updateList(
  owner: string,
  tracker: string,
  by: (all: readonly Waiting[]) => readonly Waiting[],
  added: Bytes = new Map(),
): Promise<readonly Waiting[]> {
  let all: readonly Waiting[] = []
  await store('readwrite', async (rows) => {
    const before = (await promisifyRequest<Waiting[] | undefined>(rows.get(owner))) ?? []
    all = by(before)
    rows.put(tracker, trackerKey(owner))
    rows.put(all, owner)
    for (const [name, content] of added) rows.put(content, bytesKey(name))
    for (const name of bytesIn(before).difference(bytesIn(all))) rows.delete(bytesKey(name))
    await promisifyRequest(rows.transaction)
  })
  return all
}

/** Reads the content of a file that waits. Undefined if it doesn't wait any more. */
export const loadBytes = (name: string): Promise<ArrayBuffer | undefined> => get(bytesKey(name), store)

/** A tab's drafts may refer to a row by the ID that stood for it. */
const REMEMBERED_MS = 90 * 86_400_000

const isRecent = ([id]: readonly [number, SavedIds]) => -id > Date.now() - REMEMBERED_MS

/** Remembers the IDs of what a saved change has added, for all tabs. */
export async function recordSaved(owner: string, added: Saved): Promise<void> {
  await update<Saved>(
    savedKey(owner),
    (before = new Map()) => new Map([...[...before].filter(isRecent), ...added]),
    store,
  )
}

/** Forgets what waits for an owner, even while it is being sent. Never rejects. */
export async function deleteOutbox(owner: string): Promise<void> {
  try {
    await store('readwrite', async (rows) => {
      const list = (await promisifyRequest<Waiting[] | undefined>(rows.get(owner))) ?? []
      for (const name of namesOf(owner)) rows.delete(name)
      for (const name of bytesIn(list)) rows.delete(bytesKey(name))
      await promisifyRequest(rows.transaction)
    })
  } catch {
    // There is nothing if IndexedDB is missing or blocked.
  }
}
