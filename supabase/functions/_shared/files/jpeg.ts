import { concat, Damaged, isText, readUint16 } from './bytes.ts'
import { orientationOf } from './exif.ts'

const [SOI, EOI, SOS] = [0xd8, 0xd9, 0xda]
const [APP0, APP1, APP2, APP14, APP15, COM] = [0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe]

/** Removes everything from a JPEG that doesn't say how to draw it, and what follows its end, such as another picture or a film. */
export function cleanJpeg(bytes: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = [bytes.subarray(0, 2)]
  let orientation = 1
  let hasPicture = false
  for (let at = 2; ;) {
    if (bytes[at] !== 0xff) throw new Damaged()
    // Any number of FF may stand before a marker.
    while (bytes[at + 1] === 0xff) at++
    const marker = bytes[at + 1]
    if (marker === EOI) break
    // Below are markers without a length, which only stand in a scan, and reserved ones.
    if (marker === undefined || marker < 0xc0 || (marker >= 0xd0 && marker <= SOI)) throw new Damaged()
    const end = at + 2 + readUint16(bytes, at + 2)
    if (end < at + 4 || end > bytes.length) throw new Damaged()
    const data = bytes.subarray(at + 4, end)
    if (marker === APP1 && isText(data, 'Exif\0\0')) orientation = orientationOf(data.subarray(6))
    const next = marker === SOS ? endOfScan(bytes, end) : end
    if (marker === SOS) hasPicture = true
    if (isNeeded(marker, data)) kept.push(bytes.subarray(at, next))
    at = next
  }
  if (!hasPicture) throw new Damaged()
  if (orientation > 1) kept.splice(1, 0, exifWith(orientation))
  return concat([...kept, Uint8Array.of(0xff, EOI)])
}

function isNeeded(marker: number, data: Uint8Array): boolean {
  if (marker === APP0) return isText(data, 'JFIF\0') && data.length === 14
  // The color profile, which may be long, and how its colors are written.
  if (marker === APP2) return isText(data, 'ICC_PROFILE\0')
  if (marker === APP14) return isText(data, 'Adobe') && data.length === 12
  return marker !== COM && !(marker >= APP0 && marker <= APP15)
}

/** Returns where the next marker is. In a scan, FF 00 is a byte, and FF D0 to FF D7 only divide it. */
function endOfScan(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next === undefined) break
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  throw new Damaged()
}

/** Creates a segment that only says how the picture is turned, because most phones don't turn it themselves. */
const exifWith = (orientation: number) => {
  const header = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1]
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
  const tiff = Uint8Array.from([...header, ...entry, 0, 0, 0, 0])
  return concat([Uint8Array.of(0xff, APP1, 0, 34), new TextEncoder().encode('Exif\0\0'), tiff])
}
