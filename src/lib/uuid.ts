/** A random UUID. `crypto.randomUUID` only exists on https and localhost, but a tracker may run on a home network. */
export function newUuid(): string {
  const random = crypto.getRandomValues(new Uint8Array(16))
  // RFC 9562: the version is 4, and the variant is binary 10.
  const digits = Array.from(random, (byte, place) =>
    (place === 6 ? (byte & 0x0f) | 0x40 : place === 8 ? (byte & 0x3f) | 0x80 : byte)
      .toString(16)
      .padStart(2, '0'),
  ).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
