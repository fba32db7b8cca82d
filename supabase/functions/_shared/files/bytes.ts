/** A picture that ends too early, or isn't written as its format says. */
export class Damaged extends Error {}

/** Returns whether ASCII text stands at an offset. */
export function isText(bytes: Uint8Array, text: string, offset = 0): boolean {
  if (offset + text.length > bytes.length) return false
  for (let index = 0; index < text.length; index++)
    if (bytes[offset + index] !== text.charCodeAt(index)) return false
  return true
}

/** Reads ASCII text of four characters. */
export const readName = (bytes: Uint8Array, offset: number) =>
  String.fromCharCode(...bytes.subarray(offset, offset + 4))

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength)

/** Reads a number. Throws `Damaged` if the bytes end before. */
export function readUint16(bytes: Uint8Array, offset: number, littleEndian = false): number {
  if (offset < 0 || offset + 2 > bytes.length) throw new Damaged()
  return viewOf(bytes).getUint16(offset, littleEndian)
}

/** Reads a number. Throws `Damaged` if the bytes end before. */
export function readUint32(bytes: Uint8Array, offset: number, littleEndian = false): number {
  if (offset < 0 || offset + 4 > bytes.length) throw new Damaged()
  return viewOf(bytes).getUint32(offset, littleEndian)
}

/** Writes a number with its lowest byte first. */
export function littleUint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  viewOf(bytes).setUint32(0, value, true)
  return bytes
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
