import { Damaged, isText } from './bytes.ts'
import { cleanJpeg } from './jpeg.ts'
import { cleanPng } from './png.ts'
import { cleanWebp } from './webp.ts'

export type MediaType = 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf'

/** Returns what bytes are, whatever their name says, as the SQL function `private.media_type` does. Null: nothing that is kept. */
export function mediaTypeOf(bytes: Uint8Array): MediaType | null {
  if (isText(bytes, '\xff\xd8\xff')) return 'image/jpeg'
  if (isText(bytes, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (isText(bytes, 'RIFF') && isText(bytes, 'WEBP', 8)) return 'image/webp'
  return isText(bytes, '%PDF-') ? 'application/pdf' : null
}

const CLEAN = {
  'image/jpeg': cleanJpeg,
  'image/png': cleanPng,
  'image/webp': cleanWebp,
  'application/pdf': (bytes: Uint8Array) => bytes,
}

/** Removes Exif, XMP and texts from a picture: where and with what it was taken. Returns null for a damaged one, and for other files. */
export function cleanFile(bytes: Uint8Array): { mediaType: MediaType; content: Uint8Array } | null {
  const mediaType = mediaTypeOf(bytes)
  if (mediaType === null) return null
  try {
    return { mediaType, content: CLEAN[mediaType](bytes) }
  } catch (error) {
    if (error instanceof Damaged) return null
    throw error
  }
}
