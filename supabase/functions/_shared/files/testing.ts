// Small pictures that Chromium drew, and what cameras and programs add to pictures.
import { Buffer } from 'node:buffer'
import { concat, littleUint32 } from './bytes.ts'

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
const ascii = (text: string) => new TextEncoder().encode(text)

export const JPEG = bytesOf(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAMABADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAMF/8QAGRABAAIDAAAAAAAAAAAAAAAAAAEDFFKh/8QAFAEBAAAAAAAAAAAAAAAAAAAABf/EAB4RAAEEAQUAAAAAAAAAAAAAAAEAAgQRMQMSE2GB/9oADAMBAAIRAxEAPwCuVTvyWaA9rA3CahwNOJu4yTdZ68X/2Q==',
)
export const PNG = bytesOf(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAMCAYAAABr5z2BAAAAOElEQVR4AezQMQ0AMAwDQcuUzKUgyylY0iKwh6yJ9FMkD0eV2lVSu4jh7QDAewBXMl7Ej5iQ0v8BAAD//6E3SScAAAAGSURBVAMAWcMsOfW64PkAAAAASUVORK5CYII=',
)
export const WEBP = bytesOf(
  'UklGRi4CAABXRUJQVlA4WAoAAAAgAAAADwAACwAASUNDUMgBAAAAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADZWUDggQAAAAPABAJ0BKhAADAACwEwlqAJ0ugAC/b6GAAD9zS6ADraRoAdG8Pf/wuUqFCu9jbf0g/13/lRa/1N/8f/uX3GAAAA=',
)
export const PDF = ascii('%PDF-1.4\n1 0 obj << /Title (Receipt) >> endobj\n%%EOF\n')

/** What nobody else shall read. */
export const SECRET = 'Home, 48.137 N 11.575 E'

/** Exif data with an orientation and a text. */
export const exif = (orientation: number) =>
  concat([
    Uint8Array.of(0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0),
    Uint8Array.of(0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0),
    ascii(SECRET),
  ])

/** Adds a segment to a JPEG, after its start. */
export function withSegment(jpeg: Uint8Array, marker: number, data: Uint8Array): Uint8Array {
  const length = data.length + 2
  const segment = concat([Uint8Array.of(0xff, marker, length >> 8, length & 0xff), data])
  return concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])
}

export const withExif = (jpeg: Uint8Array, orientation = 1) =>
  withSegment(jpeg, 0xe1, concat([ascii('Exif\0\0'), exif(orientation)]))

/** Adds a chunk to a PNG, before its pixels. Its checksum is not computed. */
export function withChunk(png: Uint8Array, name: string, data: Uint8Array): Uint8Array {
  const length = Uint8Array.of(0, 0, data.length >> 8, data.length & 0xff)
  const chunk = concat([length, ascii(name), data, new Uint8Array(4)])
  return concat([png.subarray(0, 33), chunk, png.subarray(33)])
}

/** Adds a chunk to the end of a WebP, and says so in its flags. */
export function withRiffChunk(webp: Uint8Array, name: string, data: Uint8Array, flag = 0): Uint8Array {
  const padding = new Uint8Array(data.length % 2)
  const whole = concat([webp, ascii(name), littleUint32(data.length), data, padding])
  whole.set(littleUint32(whole.length - 8), 4)
  whole.set([(whole[20] ?? 0) | flag], 20)
  return whole
}
