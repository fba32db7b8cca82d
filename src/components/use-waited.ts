import { useEffect, useState } from 'react'

/** Returns whether `ms` milliseconds have passed since the component was mounted. */
export function useWaited(ms: number): boolean {
  const [hasWaited, setWaited] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return hasWaited
}
