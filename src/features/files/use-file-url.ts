import { atom, useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'

import { backendAtom } from '../../lib/backend.ts'
import { resourceGenerationAtom } from '../../lib/resource.ts'
import { readFile } from '../../lib/file-transfer.ts'
import { loadBytes } from '../../lib/outbox-storage.ts'
import type { EntryFile } from './atoms.ts'

export type Shown = 'whole' | 'thumbnail'

/** A function that reads a file, or its thumbnail, from the tracker or from where it waits. Throws an AppError. */
export const fileReaderAtom = atom((get) => {
  const backend = get(backendAtom)
  return async ({ id, media_type, waits }: EntryFile, shown: Shown, signal: AbortSignal): Promise<Blob> => {
    if (!waits) {
      const response = await readFile(
        backend,
        { id: `${id}`, ...(shown === 'thumbnail' && { thumbnail: '' }) },
        signal,
      )
      return response.blob()
    }
    const bytes = (await loadBytes(waits.bytes)) ?? new ArrayBuffer()
    const { thumbnail } = waits
    const part = shown === 'thumbnail' ? bytes.slice(0, thumbnail) : bytes.slice(thumbnail)
    return new Blob([part], { type: media_type })
  }
})

/** Returns the address of a file in memory until the component is gone: null while it loads, undefined if it can't be read. */
export function useFileUrl(file: EntryFile | null, shown: Shown): string | null | undefined {
  const read = useAtomValue(fileReaderAtom)
  const [loaded, setLoaded] = useState<{ key: string; url?: string } | null>(null)
  // Another user of this tab must not see it.
  const key = `${useAtomValue(resourceGenerationAtom)}/${file?.id}`
  useEffect(() => {
    if (!file) return undefined
    const stopped = new AbortController()
    let url: string | undefined
    read(file, shown, stopped.signal)
      .then((blob) => {
        if (stopped.signal.aborted) return
        url = URL.createObjectURL(blob)
        setLoaded({ key, url })
      })
      .catch(() => !stopped.signal.aborted && setLoaded({ key }))
    return () => {
      stopped.abort()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a file's bytes never change
  }, [key, shown, read])
  return loaded?.key === key ? loaded.url : null
}
