import {
  type MediaType as Stored,
  mediaTypeOf as storedTypeOf,
} from '../../../supabase/functions/_shared/files/clean.ts'

/** What a file is. HEIC is only read, never stored. */
export type MediaType = Stored | 'image/heic'

/** How many of a file's first bytes tell its type. */
export const HEAD_BYTES = 64

const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'])

/** Returns a file's type, whatever its name says, or null if it can't be added. */
export const mediaTypeOf = (head: Uint8Array): MediaType | null =>
  storedTypeOf(head) ?? (isHeic(head) ? 'image/heic' : null)

const isHeic = (head: Uint8Array) => textOf(head, 4, 8) === 'ftyp' && HEIC_BRANDS.has(textOf(head, 8, 12))

const textOf = (bytes: Uint8Array, start: number, end: number) =>
  String.fromCharCode(...bytes.subarray(start, end))

/** Returns whether a picture has its end. Some browsers draw the rest of one that was cut off in gray. */
export function isWhole(bytes: Uint8Array, type: MediaType): boolean {
  switch (type) {
    case 'image/jpeg':
      return hasJpegEnd(bytes)
    case 'image/png':
      return hasBlocks(bytes, 8, (view, at) => ({
        size: 12 + view.getUint32(at),
        isLast: textOf(bytes, at + 4, at + 8) === 'IEND',
      }))
    case 'image/webp':
      return bytes.length >= 12 && 8 + viewOf(bytes).getUint32(4, true) <= bytes.length
    case 'image/heic':
      return hasBlocks(bytes, 0, (view, at) => {
        const size = view.getUint32(at)
        // 0: until the end. 1: the size follows as a larger number.
        if (size === 1) return { size: Number(view.getBigUint64(at + 8)) }
        return { size: size === 0 ? bytes.length - at : size }
      })
    default:
      return true
  }
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Returns whether blocks fill a file until its last one. Without `isLast`, until its end. */
function hasBlocks(
  bytes: Uint8Array,
  start: number,
  blockAt: (view: DataView, at: number) => { size: number; isLast?: boolean },
): boolean {
  const view = viewOf(bytes)
  for (let at = start; at < bytes.length;) {
    // No block is shorter than its head.
    if (at + 8 > bytes.length) return false
    const { size, isLast } = blockAt(view, at)
    at += size
    if (size < 8 || at > bytes.length) return false
    if (isLast) return true
    if (at === bytes.length) return isLast === undefined
  }
  return false
}

/** Returns whether a JPEG has its end marker. Some cameras append more, such as a video. */
function hasJpegEnd(bytes: Uint8Array): boolean {
  let at = 2
  while (at + 1 < bytes.length) {
    const marker = bytes[at] === 0xff ? bytes[at + 1]! : 0
    if (marker === 0xd9) return true
    // Pixels, with markers of restarts in between, and 0xff as fill.
    if (marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7)) {
      at = bytes.indexOf(0xff, at + 1)
      if (at === -1) return false
    } else {
      if (at + 3 >= bytes.length) return false
      const length = viewOf(bytes).getUint16(at + 2)
      at = length < 2 ? bytes.length : at + 2 + length
    }
  }
  return false
}
