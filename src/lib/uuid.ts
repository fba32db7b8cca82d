/** Creates a random UUID. `crypto.randomUUID` needs https or localhost, but a tracker may run on a home network. */
export function newUuid(): string {
  const random = crypto.getRandomValues(new Uint8Array(16))
  // RFC 9562: version 4, variant binary 10.
  const digits = Array.from(random, (byte, index) =>
    (index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte)
      .toString(16)
      .padStart(2, '0'),
  ).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
