import { type RefObject, useEffect, useRef } from 'react'

/** Takes files that are dropped on an entry's details or pasted while they are open. */
export function useGivenFiles(
  section: RefObject<HTMLElement | null>,
  add: (files: readonly File[]) => void,
): void {
  const latest = useRef(add)
  useEffect(() => {
    latest.current = add
  })
  useEffect(() => {
    const details = section.current!.closest<HTMLElement>('[data-details]') ?? section.current!
    const stopped = new AbortController()
    const { signal } = stopped
    const mark = (isOver: boolean) => details.toggleAttribute('data-dropping', isOver)
    const onDrag = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      // Else the browser would open the file.
      event.preventDefault()
      mark(true)
    }
    const onDrop = (event: DragEvent) => {
      mark(false)
      if (!event.dataTransfer?.files.length) return
      event.preventDefault()
      latest.current([...event.dataTransfer.files])
    }
    const onPaste = (event: ClipboardEvent) => {
      const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
      const isCovered = dialog !== undefined && !dialog.contains(details)
      const { files, types = [] } = event.clipboardData ?? {}
      // A spreadsheet copies its cells as text and as a picture.
      const isText = types.includes('text/plain') && event.target instanceof HTMLInputElement
      if (isCovered || isText || !files?.length) return
      event.preventDefault()
      latest.current([...files])
    }
    details.addEventListener('dragover', onDrag, { signal })
    details.addEventListener('dragleave', () => mark(false), { signal })
    details.addEventListener('drop', onDrop, { signal })
    document.addEventListener('paste', onPaste, { signal })
    return () => stopped.abort()
  }, [section])
}
