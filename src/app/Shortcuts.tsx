import { useAtom, useAtomValue } from 'jotai'
import { lazy, Suspense, useEffect } from 'react'

import { hasShortcutKeyAtom, isShortcutsOpenAtom, opensShortcuts } from './shortcut-key.ts'

const ShortcutsDialog = lazy(() => import('./ShortcutsDialog.tsx'))

/** The list of shortcuts, which `?` opens. */
export function Shortcuts() {
  const [isOpen, setOpen] = useAtom(isShortcutsOpenAtom)
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
  }, [hasKey, setOpen])

  return (
    isOpen && (
      <Suspense fallback={null}>
        <ShortcutsDialog onClose={() => setOpen(false)} />
      </Suspense>
    )
  )
}
