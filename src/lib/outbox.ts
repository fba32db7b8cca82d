import { atom, type Getter, type Setter } from 'jotai'
import { unwrap } from 'jotai/utils'
import { createStore, del, get as load, update } from 'idb-keyval'

import type { WriteName, Written } from '../../supabase/functions/_shared/contracts/run-command.ts'
import type { Json } from '../../supabase/database.types.ts'
import { DATABASE_ERRORS } from '../../supabase/functions/_shared/database-errors.ts'
import { backendAtom, type Client, storedUser } from './backend.ts'
import { isOfflineAtom } from './connection.ts'
import { AppError, ChangedElsewhere, messageFor, SavedEarlier, toAppError } from './errors.ts'
import { type Input, inputsOf, OWNED } from './inputs.ts'
import { repeatWhenTouched, resourceGenerationAtom } from './resource.ts'
import { touchAtom } from './touch.ts'
import { dependsOn, sentAtom, type Waiting, waitingAtom } from './waiting.ts'
import { newUuid, write } from './writes.ts'

// Apart from the cache, which is cleared when a session ends.
const store = createStore('outbox', 'changes')

type List = readonly Waiting[]

const ownerOf = (get: Getter) => storedUser(get(backendAtom).config)?.id

/** What waits for the signed-in owner in this browser, also after another tab has changed it. Undefined while it loads. */
export const storedWaitingAtom = unwrap(
  atom((get) => {
    get(resourceGenerationAtom)
    repeatWhenTouched(get, ['outbox'])
    return read(get)
  }),
)

async function read(get: Getter): Promise<List> {
  const owner = ownerOf(get)
  return owner === undefined ? [] : ((await load<List>(owner, store).catch(() => undefined)) ?? [])
}

/** Clears this tab's copy, so the next user of this browser tab doesn't see the previous user's changes. */
export const clearWaitingAtom = atom(null, (_get, set) => {
  set(waitingAtom, [])
  set(sentAtom, [])
})

/** Changes the owner's list in one transaction, also against other tabs. Throws if this browser can't store it. */
async function change(get: Getter, set: Setter, by: (all: List) => List): Promise<void> {
  const owner = ownerOf(get)
  if (owner === undefined) throw new AppError('unauthorized', 'No session')
  let all: List = []
  await update<List>(owner, (before = []) => (all = by(before)), store)
  set(waitingAtom, all)
  set(touchAtom, ['outbox'])
}

type New = Pick<Waiting, 'command' | 'input' | 'key' | 'subject' | 'wasTried'>

/** Keeps a change until it can be sent. Resolves to it once it is stored. */
export async function enqueue(get: Getter, set: Setter, given: New): Promise<Waiting> {
  let added = given as Waiting
  await change(get, set, (all) => {
    added = { ...added, id: Math.min(-Date.now(), (all.at(-1)?.id ?? 0) - 1) }
    return [...all.filter(({ key }) => key !== added.key), added]
  })
  // Asked now, because browsers refuse it to pages without anything to lose.
  void (navigator as Partial<Navigator>).storage?.persist?.()
  return added
}

let last: Promise<unknown> = Promise.resolve()

/** Runs `work` while no other tab runs any, or on plain HTTP, where browsers have no locks, nothing else in this tab. */
function exclusively<T>(work: () => Promise<T>): Promise<T> {
  const { locks } = navigator as Partial<Navigator>
  const run = async () => (locks ? await locks.request('outbox', work) : await work())
  const result = last.then(run)
  last = result.catch(() => undefined)
  return result
}

/** Forgets what waits for an owner. Call it on Sign Out. */
export const discardWaitingAtom = atom(null, (_get, _set, owner: string) =>
  exclusively(() => del(owner, store).catch(() => undefined)),
)

/** Removes a change with what depends on it. Resolves to false if it doesn't wait any more. */
export const removeWaitingAtom = atom(null, async (get, set, key: string): Promise<boolean> => {
  if (!get(waitingAtom).some((one) => one.key === key)) return false
  return exclusively(async () => {
    let isFound = false
    await change(get, set, (all) => {
      const removed = all.find((one) => one.key === key)
      isFound = removed !== undefined
      if (!removed) return all
      const kept = all.filter(
        (one) => one !== removed && !Object.values(one.input).includes(removed.id as never),
      )
      return removed.wasTried && !removed.refusal ? [...kept, takingBack(removed)] : kept
    })
    return isFound
  })
})

/** Returns the undo of a change that may have been saved. */
const takingBack = ({ key, id, subject }: Waiting): Waiting => ({
  command: 'undo',
  input: { change: key },
  key: newUuid(),
  id: id - 0.5,
  subject,
  wasTried: false,
})

/** Sends a refused change again: over the values that another device has stored, or next to what it has done. */
export const saveMineAtom = atom(null, async (get, set, key: string) => {
  await change(get, set, (all) => all.flatMap((one) => (one.key === key ? mine(one) : one)))
})

function mine({ refusal, ...one }: Waiting): List {
  const again = one as Waiting
  // The key belongs to an earlier version.
  if (refusal?.code === 'RMT07') return [takingBack(again), { ...again, key: newUuid() }]
  if (again.command === 'mark_done' && refusal?.code === 'PT409')
    return [{ ...again, input: { ...again.input, seen: Number.MAX_SAFE_INTEGER } }]
  if ((again.command === 'edit_row' || again.command === 'correct_event') && refusal?.stored)
    return [{ ...again, input: { ...again.input, shown: refusal.stored } } as Waiting]
  return [again]
}

/** Errors that say nothing about a change: the tracker is away, busy, or wants another session. It stays as it is. */
const isTemporary = ({ code, status }: AppError) =>
  !(code in DATABASE_ERRORS) && ![400, 409, 422].includes(status) && code !== 'RMT22'

export type Delivered = { change: Waiting; written: Written<WriteName> }

/**
 * Sends what waits, in order, from one tab at a time. Changes that are refused stay, with what depends on them. Resolves to
 * what was saved and what was refused.
 */
export const sendWaitingAtom = atom(null, (get, set) =>
  exclusively(async () => {
    const saved: Delivered[] = []
    const refused: Waiting[] = []
    const touched: Input[] = []
    try {
      for (;;) {
        const next = get(isOfflineAtom) ? undefined : nextOf(await read(get))
        if (!next) break
        // oxlint-disable-next-line no-await-in-loop -- in order
        const outcome = await deliver(get(backendAtom).client, next)
        if (outcome === null) break
        if (outcome instanceof AppError) {
          const { code } = outcome
          const stored = outcome instanceof ChangedElsewhere ? outcome.stored : null
          const refusal = { code, message: messageFor(outcome), stored }
          refused.push({ ...next, refusal })
          await change(get, set, (all) =>
            all.map((one) => (one.key === next.key ? { ...one, refusal } : one)),
          )
        } else {
          saved.push({ change: next, written: outcome })
          touched.push(...(outcome.touched.tables.length === 0 ? OWNED : inputsOf(outcome.touched)))
          // First, so that it never disappears from the screen.
          set(sentAtom, (all) => [...all, { change: next, at: Date.now() }])
          await change(get, set, (all) =>
            all.filter(({ key }) => key !== next.key).map((one) => withIds(one, next, outcome.answer)),
          )
        }
      }
    } finally {
      if (touched.length > 0) set(touchAtom, touched)
    }
    return { saved, refused }
  }),
)

/** Returns the first change that doesn't depend on a refused one. */
const nextOf = (all: List) =>
  all.find(
    (one, index) =>
      !one.refusal && !all.slice(0, index).some((earlier) => earlier.refusal && dependsOn(one, earlier)),
  )

/** Resolves to what was written, to the error that refuses the change for good, or to null if it has to wait. */
async function deliver(client: Client, one: Waiting): Promise<Written<WriteName> | AppError | null> {
  const { command, input, key } = one
  try {
    const written = (await write(client, 'run_command', {
      command,
      arguments: input as Json,
      key,
    })) as Written<WriteName>
    const { row, conflicts = [] } = written.answer as { row?: object | null; conflicts?: object[] }
    if (row === null) return new AppError('RMT22', 'The row was removed')
    return conflicts.length > 0 ? new AppError('RMT11', 'What it wrote was changed since') : written
  } catch (cause) {
    const error = toAppError(cause)
    // The first attempt was saved. A Done then didn't name its day yet.
    if (error instanceof SavedEarlier && one.wasTried) return error.stored
    // There is nothing to take back.
    if (command === 'undo' && error.code === 'RMT30') return NOTHING
    return isTemporary(error) ? null : error
  }
}

const NOTHING: Written<WriteName> = {
  answer: {},
  change: null,
  touched: { tables: [], columns: [], bikes: [], parts: [] },
}

/** Gives a change the IDs of the row that an earlier one has added. */
function withIds(one: Waiting, earlier: Waiting, answer: object): Waiting {
  const { item, id } = answer as { item?: { id: number; part_id: number }; id?: number }
  const ofPart = 'relation' in one.input && one.input.relation === 'parts'
  const input = Object.entries(one.input).map(([name, value]) => [
    name,
    value === earlier.id
      ? ((ofPart || name === 'part_id' ? item?.part_id : item?.id) ?? id)
      : (value as unknown),
  ])
  return { ...one, input: Object.fromEntries(input) }
}
