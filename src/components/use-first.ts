import { useState } from 'react'

/**
 * Returns the first value that isn't null, and ignores later ones. In an open form, the options and the selection then
 * don't change when data is read again.
 */
export function useFirst<Value extends object>(value: Value | null): Value | null {
  const [first, setFirst] = useState(value)
  if (first === null && value !== null) setFirst(value)
  return first ?? value
}
