import { type ComponentProps, type ReactNode, startTransition, useEffect, useState } from 'react'

import { whenIdle } from '../../lib/idle.ts'

type Props = Omit<ComponentProps<'select'>, 'children'> & {
  /** The chosen option. */
  chosen: ReactNode
  /** Renders all options. */
  children: () => ReactNode
}

/** A select with hundreds of options. Until the page is idle or the select is used, it has only the chosen one. */
export function LongSelect({ chosen, children, ...select }: Props) {
  const [isComplete, setComplete] = useState(false)
  const complete = () => setComplete(true)
  useEffect(() => whenIdle(() => startTransition(() => setComplete(true))), [])
  return (
    <select {...select} onFocus={complete} onPointerDown={complete}>
      {isComplete ? children() : chosen}
    </select>
  )
}
