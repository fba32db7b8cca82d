import { useState } from 'react'

/** Returns the first value that isn't null, so a reload doesn't change the options and selection of an open form. */
export function useFirstNonNull<Value extends object>(value: Value | null): Value | null {
  const [first, setFirst] = useState(value)
  if (first === null && value !== null) setFirst(value)
  return first ?? value
}
