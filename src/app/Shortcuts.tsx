import { useAtomValue } from 'jotai'
import { lazy, Suspense, useEffect, useState } from 'react'

import { opensShortcuts, hasShortcutKeyAtom } from './shortcut-key.ts'

const ShortcutsDialog = lazy(() => import('./ShortcutsDialog.tsx'))

/** Opens the list of shortcuts with its button or `?`. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false)
  const hasKey = useAtomValue(hasShortcutKeyAtom)

  useEffect(() => {
    if (!hasKey) return undefined
    const press = (event: KeyboardEvent) => {
      if (!opensShortcuts(event)) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [hasKey])

  return (
    <>
      <button type="button" aria-keyshortcuts={hasKey ? '?' : undefined} onClick={() => setOpen(true)}>
        Keyboard shortcuts
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <ShortcutsDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
