import { atom, useAtomValue } from 'jotai'
import { unwrap } from 'jotai/utils'
import type { ComponentType, ReactNode } from 'react'

/**
 * Creates a component whose code loads when it is first rendered or `codeAtom` is first read. Shows `placeholder` until
 * then. Uses an atom, because React.lazy shows content up to 0.3 s late.
 */
export function lazyScreen<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  placeholder: ReactNode = null,
) {
  const codeAtom = unwrap(atom(load))
  function LazyScreen(props: Props) {
    const code = useAtomValue(codeAtom)
    return code ? <code.default {...props} /> : placeholder
  }
  return Object.assign(LazyScreen, { codeAtom })
}
