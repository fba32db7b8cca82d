const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'rmt_'
// 202 random bits.
const RANDOM_LENGTH = 34
const CHECKSUM_LENGTH = 6

/** Creates a random token. Works without https, where browsers have no `crypto.subtle`. */
export function createToken(): string {
  let random = ''
  while (random.length < RANDOM_LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH - random.length))) {
      // Skip the bytes that would make the first letters more likely.
      if (byte < 4 * LETTERS.length) random += LETTERS.charAt(byte % LETTERS.length)
    }
  }
  return PREFIX + random + checksum(random)
}

/** Returns whether text is a token without a typo. Only the database knows whether it exists. */
export function isToken(text: string): boolean {
  const [, random = '', given] = /^rmt_([0-9A-Za-z]{34})([0-9A-Za-z]{6})$/.exec(text) ?? []
  return given === checksum(random)
}

/** Computes a CRC-32 as six letters and digits. */
function checksum(text: string): string {
  let crc = -1
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  let rest = ~crc >>> 0
  let letters = ''
  for (; letters.length < CHECKSUM_LENGTH; rest = Math.floor(rest / LETTERS.length))
    letters = LETTERS.charAt(rest % LETTERS.length) + letters
  return letters
}
