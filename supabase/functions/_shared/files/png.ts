import { concat, Damaged, readName, readUint32 } from './bytes.ts'
import { orientationOf } from './exif.ts'

const SIGNATURE = 8
// How to draw it: its pixels, colors, size and animation. No texts, times or Exif.
const NEEDED = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP bKGD pHYs acTL fcTL fdAT'.split(' '),
)

/** Removes everything from a PNG that doesn't say how to draw it, and what follows its end. */
export function cleanPng(bytes: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = [bytes.subarray(0, SIGNATURE)]
  const names = new Set<string>()
  for (let at = SIGNATURE; !names.has('IEND');) {
    const length = readUint32(bytes, at)
    const name = readName(bytes, at + 4)
    const end = at + 12 + length
    if (end > bytes.length || !/^[a-z]{4}$/i.test(name)) throw new Damaged()
    if ((names.size === 0) !== (name === 'IHDR')) throw new Damaged()
    // Nobody can draw it without a chunk whose name begins with a capital letter.
    if (/^[A-Z]/.test(name) && !NEEDED.has(name)) throw new Damaged()
    // Few programs turn a PNG, so it can't be said otherwise.
    if (name === 'eXIf' && orientationOf(bytes.subarray(at + 8, at + 8 + length)) > 1) throw new Damaged()
    names.add(name)
    if (NEEDED.has(name)) kept.push(bytes.subarray(at, end))
    at = end
  }
  if (!names.has('IDAT')) throw new Damaged()
  return concat(kept)
}
