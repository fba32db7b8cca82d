import { atom, type Getter } from 'jotai'
import { unwrap } from 'jotai/utils'

import { type AppError, toAppError } from './errors.ts'

/**
 * Data that is read from the backend. Once there, it stays while it is read again (`updating`) and when that fails
 * (`failure`), so that nothing on the screen jumps or vanishes.
 */
export type Resource<T> =
  | { state: 'loading' }
  | { state: 'failed'; error: AppError }
  | { state: 'ready'; data: T; updating: boolean; failure: AppError | null }

type Read<T> = (get: Getter, options: { signal: AbortSignal }) => Promise<T>

const LOADING = { state: 'loading' } as const

/** Nobody looks at a resource any more: from now on it is out of date, and read again when somebody does. */
const LEFT = Symbol('left')

const generation = atom(0)

/** Changes whenever all that was read is forgotten; what reads without being a resource depends on it. */
export const forgottenAtom = atom((get) => get(generation))

/** Forgets all that was read: the next owner of this browser tab starts from nothing. */
export const forgetResourcesAtom = atom(null, (_get, set) => set(generation, (n) => n + 1))

/**
 * An atom over an async read. Its value is a Resource; writing to it reads again and resolves when the newest read
 * has settled. The read may `get` other atoms before its first await and is repeated when they change. What nobody
 * looked at for a while is shown at once when somebody does again, and read again behind.
 */
export function resourceAtom<T>(read: Read<T>) {
  const version = atom(0)
  const kept = atom(() => new Map<number, T>())

  const settled = atom(async (get, options) => {
    get(version)
    const born = get(generation)
    const memory = get(kept)
    return { born, value: await attempt(() => read(get, options), born, memory) }
  })
  const shown = unwrap(settled, (previous) =>
    previous?.value.state === 'ready'
      ? { ...previous, value: { ...previous.value, updating: true } }
      : { born: -1, value: LOADING },
  )

  const resource = atom(
    (get): Resource<T> => {
      const { born, value } = get(shown)
      return born === get(generation) ? value : LOADING
    },
    async (get, set, why?: typeof LEFT) => {
      // A read that is still on its way will be new enough for whoever comes back.
      if (why === LEFT && get(shown).value.state === 'loading') return
      set(version, (n) => n + 1)
      if (why === LEFT) return
      let newest
      do {
        newest = get(settled)
        await newest
      } while (newest !== get(settled))
    },
  )
  resource.onMount = (write) => () => void write(LEFT)
  return resource
}

async function attempt<T>(
  read: () => Promise<T>,
  born: number,
  memory: Map<number, T>,
): Promise<Resource<T>> {
  try {
    const data = await read()
    memory.clear()
    memory.set(born, data)
    return { state: 'ready', data, updating: false, failure: null }
  } catch (cause) {
    const error = toAppError(cause)
    const data = memory.get(born)
    return data === undefined
      ? { state: 'failed', error }
      : { state: 'ready', data, updating: false, failure: error }
  }
}
