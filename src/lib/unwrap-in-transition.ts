import { atom, type Atom } from 'jotai'
import { unwrap } from 'jotai/utils'
import { startTransition } from 'react'

/**
 * Like `unwrap`: returns what the latest promise has resolved to, and until then what `fallback` makes of the result before.
 * What arrives is rendered in a transition: in slices, so the page answers the rider meanwhile.
 */
export const unwrapInTransition = <Result, Fallback>(
  promised: Atom<Promise<Result>>,
  fallback: (before?: Awaited<Result>) => Fallback,
): Atom<Awaited<Result> | Fallback> =>
  unwrap<Promise<Result>, Fallback>(
    atom((get) => inTransition(get(promised))),
    fallback,
  )

/** Returns what `unwrap` takes for a promise, because only `then` is called. */
function inTransition<Result>(promise: Promise<Result>): Promise<Result> {
  const waiting = {
    // oxlint-disable-next-line unicorn/no-thenable -- React looks at where the state is set: in here
    then(onResult: (result: Result) => void, onError: (cause: unknown) => void) {
      promise.then(
        (result) => startTransition(() => onResult(result)),
        (cause: unknown) => startTransition(() => onError(cause)),
      )
    },
  }
  return waiting as unknown as Promise<Result>
}
