import { expect, test } from 'vitest'

import { isWhole, type MediaType, mediaTypeOf } from './media-type.ts'

/** Each character is a byte. */
const bytesOf = (...parts: (string | number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? Array.from(part, codeOf) : part)))

const codeOf = (character: string) => character.codePointAt(0)!

const size32 = (size: number) => [0, 0, 0, size]
const chunk = (name: string, content: string) => [
  ...size32(content.length),
  ...bytesOf(name, content, '1234'),
]

const JPEG = bytesOf(
  '\u00FF\u00D8\u00FF\u00E0\u0000\u0004ab',
  // Its thumbnail has an end, too.
  '\u00FF\u00E1\u0000\u0006\u00FF\u00D9\u00FF\u00D9',
  '\u00FF\u00DA\u0000\u0003a',
  'pixels\u00FF\u0000\u00FF\u00D0more pixels',
  '\u00FF\u00D9',
)
const PNG = bytesOf(
  '\u0089PNG\r\n\u001A\n',
  chunk('IHDR', '13 of these'),
  chunk('IDAT', 'x'),
  chunk('IEND', ''),
)
const WEBP = bytesOf('RIFF', [12, 0, 0, 0], 'WEBPVP8 abcd')
const HEIC = bytesOf(size32(16), 'ftypheic1234', size32(12), 'mdat5678')

const FILES: [MediaType, Uint8Array][] = [
  ['image/jpeg', JPEG],
  ['image/png', PNG],
  ['image/webp', WEBP],
  ['image/heic', HEIC],
]

/** Where a file that is cut off can't be told from a whole one: after its first box. */
const UNKNOWN: Partial<Record<MediaType, number>> = { 'image/heic': 16 }

test.each(FILES)('knows %s, and a part of it from the whole', (type, bytes) => {
  expect(mediaTypeOf(bytes)).toBe(type)
  const lengths = Array.from(bytes.keys()).filter((length) => length !== UNKNOWN[type])
  expect(lengths.filter((length) => isWhole(bytes.subarray(0, length), type))).toEqual([])
  expect(isWhole(bytes, type)).toBe(true)
})

test('what is appended to a JPEG or a PNG doesn’t matter', () => {
  for (const [type, bytes] of FILES.slice(0, 2))
    expect(isWhole(Uint8Array.from([...bytes, ...bytesOf('a video')]), type)).toBe(true)
})

test.each([
  ['%PDF-1.7', 'application/pdf'],
  ['<svg xmlns="http://www.w3.org/2000/svg">', null],
  ['<!doctype html>', null],
  ['GIF89a', null],
  ['', null],
])('reads the type of %s from the bytes', (text, type) => {
  expect(mediaTypeOf(bytesOf(text))).toBe(type)
})
