import { atom, useAtomValue, useSetAtom, type WritableAtom } from 'jotai'
import { type ComponentType, type ReactNode, useEffect } from 'react'

import { checkConnectionAtom } from '../lib/connection.ts'
import { lazyCode } from '../lib/lazy-code.ts'
import { checkVersionAtom, isOutdatedAtom, reload } from '../lib/new-version.ts'
import { unwrapInTransition } from '../lib/unwrap-in-transition.ts'
import { Dialog } from './Dialog.tsx'
import { Notice } from './Notice.tsx'

type Screen<Props> = FirstReads & { default: ComponentType<Props> }

export type FirstReads = {
  /** Reads what a page shows first. The first render waits for it. */
  readFirstAtom?: WritableAtom<null, [], Promise<unknown>>
}

/**
 * Creates a component whose code loads when it is first rendered, or by `codeAtom` or `load`. Shows `placeholder` until
 * then. If the code can't be loaded, offers to try again, inside of what `frame` returns. Uses an atom, because React.lazy
 * shows content up to 0.3 s late.
 */
export function lazyScreen<Props extends object>(
  load: () => Promise<Screen<Props>>,
  placeholder: ReactNode = null,
  frame: (failure: ReactNode, props: Props) => ReactNode = (failure) => failure,
) {
  const attempts = atom(0)
  const tryAgainAtom = atom(null, (_get, set) => set(attempts, (n) => n + 1))
  const screen = lazyCode(load)
  /** Undefined while loading. Null if that failed. */
  const codeAtom = unwrapInTransition(
    atom(async (get) => {
      get(attempts)
      return screen().catch((cause: unknown) => {
        console.warn('Code could not be loaded', cause)
        return null
      })
    }),
    () => undefined,
  )
  function LazyScreen(props: Props) {
    const code = useAtomValue(codeAtom)
    const tryAgain = useSetAtom(tryAgainAtom)
    if (code === null) return frame(<LoadFailure retry={tryAgain} />, props)
    return code ? <code.default {...props} /> : placeholder
  }
  return Object.assign(LazyScreen, { codeAtom, load: screen })
}

/** Creates a `lazyScreen` for a modal dialog. */
export function lazyDialog<Props extends { onClose: () => void }>(load: () => Promise<Screen<Props>>) {
  return lazyScreen(load, null, (failure, { onClose }) => (
    <Dialog title="Could not open" onClose={onClose}>
      {failure}
    </Dialog>
  ))
}

function LoadFailure({ retry }: { retry: () => void }) {
  const isOutdated = useAtomValue(isOutdatedAtom)
  const checkConnection = useSetAtom(checkConnectionAtom)
  const checkVersion = useSetAtom(checkVersionAtom)
  useEffect(() => {
    void checkConnection()
    void checkVersion()
  }, [checkConnection, checkVersion])
  return isOutdated ? (
    <Notice action={{ label: 'Reload', run: reload }}>
      This could not be loaded, because a new version of the tracker is available.
    </Notice>
  ) : (
    <Notice action={{ label: 'Try again', run: retry }}>
      This could not be loaded. Check your connection and try again.
    </Notice>
  )
}
