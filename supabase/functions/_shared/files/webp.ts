import { concat, Damaged, littleUint32, readName, readUint32 } from './bytes.ts'
import { orientationOf } from './exif.ts'

const PICTURES = ['VP8 ', 'VP8L', 'ANMF']
const NEEDED = new Set([...PICTURES, 'VP8X', 'ALPH', 'ANIM', 'ICCP'])
const [EXIF, XMP] = [0x08, 0x04]
const FRAME_HEADER = 16

/** Removes everything from a WebP that doesn't say how to draw it, and what follows its end. */
export function cleanWebp(bytes: Uint8Array): Uint8Array {
  const end = 8 + readUint32(bytes, 4, true)
  if (end > bytes.length) throw new Damaged()
  return riff('RIFF', bytes.subarray(8, 12), cleanChunks(bytes.subarray(12, end)))
}

function cleanChunks(bytes: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = []
  let hasPicture = false
  for (let at = 0; at < bytes.length;) {
    const name = readName(bytes, at)
    const length = readUint32(bytes, at + 4, true)
    const end = at + 8 + length
    if (end > bytes.length) throw new Damaged()
    const data = bytes.subarray(at + 8, end)
    if (name === 'EXIF' && orientationOf(data) > 1) throw new Damaged()
    if (PICTURES.includes(name)) hasPicture = true
    if (NEEDED.has(name)) kept.push(cleanChunk(name, data))
    // A chunk of odd length is followed by a byte that isn't counted.
    at = end + (length % 2)
  }
  if (!hasPicture) throw new Damaged()
  return concat(kept)
}

function cleanChunk(name: string, data: Uint8Array): Uint8Array {
  if (name === 'VP8X') {
    if (data.length < 10) throw new Damaged()
    return riff(name, Uint8Array.of((data[0] ?? 0) & ~(EXIF | XMP)), data.subarray(1))
  }
  // A frame of an animation has chunks of its own.
  if (name !== 'ANMF') return riff(name, data)
  if (data.length < FRAME_HEADER) throw new Damaged()
  return riff(name, data.subarray(0, FRAME_HEADER), cleanChunks(data.subarray(FRAME_HEADER)))
}

function riff(name: string, ...parts: Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return concat([new TextEncoder().encode(name), littleUint32(length), ...parts, new Uint8Array(length % 2)])
}
