import { atom, useAtomValue } from 'jotai'
import { unwrap } from 'jotai/utils'
import type { ComponentType, ReactNode } from 'react'

/**
 * Splits off a page or a dialog: its code loads when it is first shown, or when `codeAtom` is first read. Until then,
 * `placeholder` is shown. An atom loads it, because React.lazy shows its content up to 0.3 s late.
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
