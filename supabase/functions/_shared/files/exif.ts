import { isText, readUint16, readUint32 } from './bytes.ts'

const ORIENTATION = 0x0112

/** Returns how Exif data says the picture is turned, from 1 to 8. Returns 1, which is upright, for data that can't be read. */
export function orientationOf(tiff: Uint8Array): number {
  const isLittle = isText(tiff, 'II')
  try {
    const directory = readUint32(tiff, 4, isLittle)
    const count = readUint16(tiff, directory, isLittle)
    for (let index = 0; index < count; index++) {
      const entry = directory + 2 + 12 * index
      if (readUint16(tiff, entry, isLittle) !== ORIENTATION) continue
      const value = readUint16(tiff, entry + 8, isLittle)
      return value >= 1 && value <= 8 ? value : 1
    }
  } catch {
    // As browsers do.
  }
  return 1
}
