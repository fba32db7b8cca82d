import * as v from 'valibot'

import { browserStorage } from '../../lib/preference.ts'
import { newUuid } from '../../lib/writes.ts'

/** Drafts survive reloads and crashes until the tab closes. If site data is blocked, they are only in memory. */
export const session = browserStorage(() => sessionStorage)

// Tabs can't see each other's sessionStorage. In localStorage, each tab says whether it has drafts, and a sign-out says that
// they are discarded. A tab that was suspended or closed discards its drafts when it returns.
const shared = browserStorage(() => localStorage)
const TAB = newUuid()
const DISCARDED = 'drafts-discarded/'
const tabsOf = (ownerId: string | null) => `draft-tab/${ownerId}/`

export const ownerPrefix = (ownerId: string | null) => `draft/${ownerId}/`

export const storedKeys = (prefix: string) => keysIn(session, prefix)

const keysIn = (storage: typeof session, prefix: string) =>
  storage.keys().filter((key) => key.startsWith(prefix))

/** Returns whether this tab or another open tab has the owner's drafts. */
export function hasDrafts(ownerId: string | null): boolean {
  return storedKeys(ownerPrefix(ownerId)).length > 0 || keysIn(shared, tabsOf(ownerId)).length > 0
}

/** Tells other tabs whether this tab has the owner's drafts. */
export function announceDrafts(ownerId: string | null): void {
  const key = tabsOf(ownerId) + TAB
  if (storedKeys(ownerPrefix(ownerId)).length > 0) shared.setItem(key, '')
  else shared.removeItem(key)
}

/** Discards the owner's drafts in all other tabs. */
export function discardInOtherTabs(ownerId: string): void {
  const id = newUuid()
  session.setItem(DISCARDED + ownerId, id)
  shared.setItem(DISCARDED + ownerId, id)
  for (const key of keysIn(shared, tabsOf(ownerId))) shared.removeItem(key)
}

const discards = new EventTarget()

/** Calls `onDiscard` after another tab has discarded this tab's drafts. Returns a stop function. */
export function followDiscards(onDiscard: () => void): () => void {
  discards.addEventListener('discard', onDiscard)
  return () => discards.removeEventListener('discard', onDiscard)
}

function checkDiscards() {
  for (const key of keysIn(shared, DISCARDED)) {
    const id = shared.getItem(key)
    if (id === null || id === session.getItem(key)) continue
    session.setItem(key, id)
    const ownerId = key.slice(DISCARDED.length)
    for (const draft of storedKeys(ownerPrefix(ownerId))) session.removeItem(draft)
    announceDrafts(ownerId)
    discards.dispatchEvent(new Event('discard'))
  }
}

function onShow() {
  checkDiscards()
  const owners = storedKeys('draft/').map((key) => key.split('/')[1]!)
  for (const ownerId of new Set(owners)) announceDrafts(ownerId)
}

function onHide() {
  for (const key of keysIn(shared, 'draft-tab/')) if (key.endsWith(`/${TAB}`)) shared.removeItem(key)
}

// Tests of the data have no page.
if ('window' in globalThis) {
  onShow()
  window.addEventListener('storage', checkDiscards)
  window.addEventListener('pageshow', onShow)
  window.addEventListener('pagehide', onHide)
}

/** Stores drafts as JSON in this tab's session. A draft that `schema` doesn't accept is none. */
export function draftStorageOf<Draft>(schema: v.GenericSchema<unknown, Draft>) {
  const storage = {
    getItem(key: string, initial: Draft | null): Draft | null {
      const text = session.getItem(key)
      if (text === null) return initial
      try {
        return v.parse(schema, JSON.parse(text))
      } catch {
        return initial
      }
    },
    setItem: (key: string, draft: Draft | null) => session.setItem(key, JSON.stringify(draft)),
    removeItem: (key: string) => session.removeItem(key),
    subscribe: (key: string, show: (draft: Draft | null) => void, initial: Draft | null) =>
      followDiscards(() => show(storage.getItem(key, initial))),
  }
  return storage
}
