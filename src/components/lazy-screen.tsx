import { atom, useAtomValue } from 'jotai'
import { unwrap } from 'jotai/utils'
import type { ComponentType, ReactNode } from 'react'

/**
 * Splits off a page or dialog. Its code loads when it is first shown, or when `codeAtom` is first read, and `placeholder`
 * shows until then. An atom loads the code, because React.lazy shows its content up to 0.3 s late.
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
