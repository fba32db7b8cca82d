import { type ReactNode, useDeferredValue } from 'react'

import { isScrolledBack } from '../lib/history.ts'

/**
 * Renders its children after the first paint of what is above them, so the top of a page shows sooner. They must not move what is
 * above. Renders them at once if the page is about to be scrolled to where it was.
 */
export function BelowFold({ children }: { children: ReactNode }) {
  const isRendered = useDeferredValue(true, isScrolledBack())
  return isRendered ? children : null
}
