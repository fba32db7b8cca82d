import { useSyncExternalStore } from 'react'

import { loadUntilThere } from '../lib/connection.ts'
import { lazyCode } from '../lib/lazy-code.ts'

export type Action = { label: string; run: () => void }

type List = typeof import('./ToastList.tsx')

let list: List | undefined
const listeners = new Set<() => void>()

/** Loads the code of the toasts, which no screen needs before the first toast. */
export const loadToasts = lazyCode(async (): Promise<List> => {
  list = await import('./ToastList.tsx')
  for (const listener of listeners) listener()
  return list
})

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const ToastList = useSyncExternalStore(subscribe, () => list)?.default
  return ToastList && <ToastList />
}

export function notifyDone(message: string): void {
  void loadUntilThere(loadToasts).then(({ showDone }) => showDone(message))
}

export function notifyFailure(message: string): void {
  void loadUntilThere(loadToasts).then(({ showFailure }) => showFailure(message))
}

/** Shows a toast with buttons. With `stays`, it doesn't time out. Returns a function that closes the toast. */
export function notifyWithAction(
  message: string,
  actions: Action | readonly Action[],
  { stays = false } = {},
): () => void {
  const shown = loadUntilThere(loadToasts).then(({ showWithAction }) =>
    showWithAction(message, [actions].flat(), stays),
  )
  return () => void shown.then((close) => close())
}
