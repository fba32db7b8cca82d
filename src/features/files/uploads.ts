import { atom, type Getter, type Setter } from 'jotai'

import { announceAtom } from '../../components/announcements.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { isHealthy, isOfflineAtom } from '../../lib/connection.ts'
import { AppError, toAppError } from '../../lib/errors.ts'
import { sendFile } from '../../lib/file-transfer.ts'
import { quote } from '../../lib/formats.ts'
import { lazyCode } from '../../lib/lazy-code.ts'
import { enqueue } from '../../lib/outbox.ts'
import { touchAtom } from '../../lib/touch.ts'
import { waitingAtom } from '../../lib/waiting.ts'
import { failureMessage, newUuid } from '../../lib/writes.ts'
import { type Item, knownAs } from '../entries/fields.ts'
import { storedFilesAtom } from './atoms.ts'
import type { Prepared } from './prepare.ts'

/** How many files an entry can have. */
export const MAX_FILES = 20

/** A file on its way. It is prepared and sent while its entry is open or not, and kept if that fails. */
export type OnItsWay = {
  key: string
  /** The entry, by the ID under which this browser has known it from the start. */
  entry: number
  name: string
  /** What was sent, from 0 to 1. Null: it is being prepared, or waits for those before it. */
  sent: number | null
  prepared?: Prepared
  /** Why it wasn't added. `isFinal`: trying again wouldn't help. */
  problem?: { message: string; isFinal: boolean } | undefined
}

const allBase = atom<readonly OnItsWay[]>([])

export const onTheWayAtom = atom((get) => get(allBase))

const change = (set: Setter, key: string, by: Partial<OnItsWay> | null) =>
  set(allBase, (all) => all.flatMap((one) => (one.key !== key ? [one] : by ? [{ ...one, ...by }] : [])))

let isAsking = false

/** Makes the browser ask before it closes or reloads the page while a file would be lost. */
function askBeforeClosing(get: Getter) {
  if (isAsking) return
  isAsking = true
  window.addEventListener('beforeunload', (event) => {
    if (get(allBase).some(({ problem }) => !problem?.isFinal)) event.preventDefault()
  })
}

const prepareCode = lazyCode(() => import('./prepare.ts'))

/** Ends with the file before: a phone has memory for one picture, and the network is shared. */
let last: Promise<unknown> = Promise.resolve()

/** Adds files to an entry that has `count` of them. Never rejects; what can't be added says why. */
export const addFilesAtom = atom(
  null,
  async (get, set, item: Item, files: readonly File[], count: number) => {
    const entry = knownAs(item)
    askBeforeClosing(get)
    await Promise.all(
      files.map((file, index) => {
        const one = { key: newUuid(), entry, name: file.name, sent: null }
        const message = `${quote(file.name)} was not added. An entry can have ${MAX_FILES} files.`
        const isTooMany = index >= MAX_FILES - count
        set(allBase, (all) => [...all, isTooMany ? { ...one, problem: { message, isFinal: true } } : one])
        return isTooMany ? Promise.resolve() : inTurn(() => add(get, set, item, file, one.key))
      }),
    )
  },
)

const inTurn = (work: () => Promise<void>) => (last = last.then(work))

async function add(get: Getter, set: Setter, item: Item, file: File, key: string): Promise<void> {
  try {
    const { prepareFile } = await prepareCode()
    const prepared = await prepareFile(file)
    change(set, key, { prepared })
    await send(get, set, item, key, prepared)
  } catch (cause) {
    fail(set, key, file.name, cause)
  }
}

function fail(set: Setter, key: string, name: string, cause: unknown) {
  const { code, status, message: reason } = toAppError(cause)
  // These sentences name the file.
  const message = code === 'explained' ? reason : failureMessage(quote(name), 'added', cause)
  change(set, key, { sent: null, problem: { message, isFinal: [404, 409, 413, 422].includes(status) } })
}

/** Sends a file that wasn't, without a second copy. */
export const sendAgainAtom = atom(null, async (get, set, item: Item, { key, name, prepared }: OnItsWay) => {
  if (!prepared) return
  change(set, key, { problem: undefined })
  await inTurn(() =>
    send(get, set, item, key, prepared).catch((cause: unknown) => fail(set, key, name, cause)),
  )
})

export const dismissAtom = atom(null, (_get, set, key: string) => change(set, key, null))

/** Sends a prepared file, or keeps it until the tracker can be reached. */
async function send(get: Getter, set: Setter, item: Item, key: string, prepared: Prepared): Promise<void> {
  const backend = get(backendAtom)
  const isBehind = item.id < 0 || get(waitingAtom).some(({ refusal }) => !refusal)
  if (get(isOfflineAtom) || isBehind) {
    await wait(get, set, item, { key, prepared, wasTried: false }).catch((cause: unknown) => {
      throw new AppError('not_kept', String(cause))
    })
    return
  }
  try {
    const { name, thumbnail, body } = prepared
    const onProgress = (sent: number) => change(set, key, { sent })
    onProgress(0)
    await sendFile(backend, { item_id: item.id, name, thumbnail }, { key, body, onProgress })
    set(touchAtom, [{ of: 'log', bike: item.bikeId, columns: ['files'] }])
    set(announceAtom, `${quote(name)} was added.`)
    // So its place in the row is never empty.
    await set(storedFilesAtom(item.part_id).settleAtom)
    change(set, key, null)
  } catch (cause) {
    const isLost = ['network', 'unclear'].includes(toAppError(cause).code)
    if (!isLost || (await isHealthy(backend.config))) throw cause
    await wait(get, set, item, { key, prepared, wasTried: true }).catch(() => {
      throw cause
    })
  }
}

type Kept = { key: string; prepared: Prepared; wasTried: boolean }

async function wait(get: Getter, set: Setter, item: Item, { key, prepared, wasTried }: Kept): Promise<void> {
  const { body, ...file } = prepared
  const ids = { item_id: item.id, part_id: item.part_id, gear_id: item.bikeId }
  const input = { ...ids, ...file, bytes: key }
  const subject = quote(file.name)
  await enqueue(get, set, { command: 'add_file', input, key, subject, wasTried }, new Map([[key, body]]))
  set(announceAtom, `${subject} waits for the network.`)
  change(set, key, null)
}
