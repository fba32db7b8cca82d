import { atom } from 'jotai'
import { selectAtom } from 'jotai/utils'
import * as v from 'valibot'

import {
  DEFAULT_SETTINGS,
  type Settings,
  settingsSchema,
} from '../../supabase/functions/_shared/formats/settings.ts'
import { backendAtom, type Client } from './backend.ts'
import { runCommand } from './commands.ts'
import { unwrap } from './errors.ts'
import { browserStorage } from './preference.ts'
import { resourceAtom } from './resource.ts'
import { newUuid } from './writes.ts'

export { DEFAULT_SETTINGS, type Settings }

/** `settings` is null if the owner hasn't chosen anything. */
type Stored = { settings: Settings | null }

/** A change that is being saved (`order` is null) or that the stored settings may not have yet. */
type Change = { wanted: Partial<Settings>; order: number | null }

const NAME = 'settings'

const local = browserStorage(() => localStorage)

const storedAtom = resourceAtom({ reads: ['settings'] }, async (get, { signal }) => {
  const stored = await readSettings(get(backendAtom).client, signal)
  // Not in the cache, because local storage can be read at once.
  local.setItem(NAME, JSON.stringify(stored.settings ?? DEFAULT_SETTINGS))
  return stored
})

const changesBase = atom<readonly Change[]>([])

const shownAtom = atom((get): Settings => {
  const stored = get(storedAtom)
  const [settings, read] = stored.state === 'ready' ? [stored.data.settings, stored.order] : [recall(), 0]
  const newer = get(changesBase).filter(({ order }) => order === null || order > read)
  return Object.assign({ ...DEFAULT_SETTINGS, ...settings }, ...newer.map(({ wanted }) => wanted)) as Settings
})

/** Whether the owner's settings are known, in a new browser only once they have been read or can't be. */
export const areSettingsKnownAtom = atom((get) => get(storedAtom).state !== 'loading' || recall() !== null)

/** The owner's settings. Until they are read, the last ones that this browser knew. */
export const settingsAtom = selectAtom(
  shownAtom,
  (settings) => settings,
  // Nothing renders again if a read returns the same settings.
  (one, other) => JSON.stringify(one) === JSON.stringify(other),
)

/** Whether the owner has chosen. `unknown` if it could not be read, null until then. */
export const chosenSettingsAtom = atom((get): boolean | 'unknown' | null => {
  const stored = get(storedAtom)
  if (get(changesBase).length > 0) return true
  if (stored.state === 'failed') return 'unknown'
  return stored.state === 'ready' ? stored.data.settings !== null : null
})

const queue = atom(() => ({ last: Promise.resolve() as Promise<unknown> }))

/**
 * Shows the wanted settings and saves them, in this and the owner's other tabs. Rejects if that fails, and shows the
 * previous ones again. Even if `wanted` is empty, the owner has chosen.
 */
export const storeSettingsAtom = atom(null, async (get, set, wanted: Partial<Settings>) => {
  const change: Change = { wanted, order: null }
  set(changesBase, (all) => [...all, change])
  const replace = (...by: Change[]) =>
    set(changesBase, (all) => all.flatMap((each) => (each === change ? by : [each])))
  // One at a time, so the last choice is the one that stays.
  const saves = get(queue)
  const save = saves.last.then(() => runCommand(get, set, 'set_settings', wanted, newUuid()))
  saves.last = save.catch(() => undefined)
  try {
    const { order } = await save
    replace({ wanted, order })
  } catch (cause) {
    replace()
    throw cause
  }
})

async function readSettings(client: Client, signal: AbortSignal): Promise<Stored> {
  const row = unwrap(await client.from('settings').select(COLUMNS).abortSignal(signal).maybeSingle())
  return { settings: row && v.parse(settingsSchema, row) }
}

const COLUMNS = 'distance, dates, currency, week_start'

function recall(): Settings | null {
  const text = local.getItem(NAME)
  try {
    return v.parse(settingsSchema, JSON.parse(text ?? 'null'))
  } catch {
    return null
  }
}
