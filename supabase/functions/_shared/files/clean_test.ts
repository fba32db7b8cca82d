import assert from 'node:assert/strict'
import fc from 'fast-check'
import { concat } from './bytes.ts'
import { cleanFile, mediaTypeOf } from './clean.ts'
import {
  exif,
  JPEG,
  PDF,
  PNG,
  SECRET,
  WEBP,
  withChunk,
  withExif,
  withRiffChunk,
  withSegment,
} from './testing.ts'

const ascii = (text: string) => new TextEncoder().encode(text)
const latin = (bytes: Uint8Array) => String.fromCharCode(...bytes)
const secret = ascii(SECRET)
const cleanOf = (bytes: Uint8Array) => cleanFile(bytes)?.content

const PICTURES = { JPEG, PNG, WEBP }

Deno.test('keeps pictures as browsers draw them, and PDFs', () => {
  for (const bytes of [JPEG, PNG, WEBP, PDF]) assert.deepEqual(cleanOf(bytes), bytes)
})

const XMP = ascii(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${SECRET}</x:xmpmeta>`)

const ADDED: Record<string, [dirty: Uint8Array, clean: Uint8Array]> = {
  'Exif in a JPEG': [withExif(JPEG), JPEG],
  'XMP in a JPEG': [withSegment(JPEG, 0xe1, XMP), JPEG],
  'IPTC in a JPEG': [withSegment(JPEG, 0xed, ascii(`Photoshop 3.0\0${SECRET}`)), JPEG],
  'a comment in a JPEG': [withSegment(JPEG, 0xfe, secret), JPEG],
  'a list of further pictures in a JPEG': [withSegment(JPEG, 0xe2, ascii(`MPF\0${SECRET}`)), JPEG],
  'what an unknown program added to a JPEG': [withSegment(JPEG, 0xeb, secret), JPEG],
  'a thumbnail in the header of a JPEG': [withSegment(JPEG, 0xe0, ascii(`JFIF\0${SECRET}`)), JPEG],
  'a film after a JPEG': [concat([JPEG, secret]), JPEG],
  'Exif in a PNG': [withChunk(PNG, 'eXIf', exif(1)), PNG],
  'texts in a PNG': [
    withChunk(withChunk(withChunk(PNG, 'tEXt', secret), 'zTXt', secret), 'iTXt', secret),
    PNG,
  ],
  'the time of a PNG': [withChunk(PNG, 'tIME', Uint8Array.of(7, 230, 1, 1, 1, 1, 1)), PNG],
  'a private chunk of a PNG': [withChunk(PNG, 'prVt', secret), PNG],
  'what follows a PNG': [concat([PNG, secret]), PNG],
  'Exif in a WebP': [withRiffChunk(WEBP, 'EXIF', exif(1), 0x08), WEBP],
  'XMP in a WebP': [withRiffChunk(WEBP, 'XMP ', XMP, 0x04), WEBP],
  'an unknown chunk of a WebP': [withRiffChunk(WEBP, 'note', secret), WEBP],
  'what follows a WebP': [concat([WEBP, secret]), WEBP],
}
for (const [name, [dirty, clean]] of Object.entries(ADDED))
  Deno.test(`removes ${name}`, () => assert.deepEqual(cleanOf(dirty), clean))

Deno.test('keeps how a JPEG is turned, and nothing else of its Exif', () => {
  for (const orientation of [2, 6, 8]) {
    const clean = cleanOf(withExif(JPEG, orientation))!
    assert.equal(clean.length, JPEG.length + 36)
    assert.deepEqual(cleanOf(clean), clean)
    assert.ok(!latin(clean).includes(SECRET))
    const tiff = clean.subarray(12)
    assert.deepEqual([...tiff.subarray(8, 20)], [0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation])
  }
  assert.deepEqual(cleanOf(withExif(JPEG, 9)), JPEG)
})

Deno.test('rejects a PNG or WebP that would have to be turned', () => {
  assert.equal(cleanFile(withChunk(PNG, 'eXIf', exif(6))), null)
  assert.equal(cleanFile(withRiffChunk(WEBP, 'EXIF', exif(3), 0x08)), null)
})

Deno.test('rejects a picture that ends anywhere too early', () => {
  for (const [name, bytes] of Object.entries(PICTURES))
    for (let length = 0; length < bytes.length; length++)
      assert.equal(cleanFile(bytes.subarray(0, length)), null, `${name} of ${length} bytes`)
})

Deno.test('rejects what is neither a picture nor a PDF, whatever it contains', () => {
  const others = ['', 'GIF89a', '<svg xmlns="http://www.w3.org/2000/svg"/>', '<html>%PDF-', ' %PDF-1.4', 'BM']
  for (const text of others)
    assert.deepEqual([mediaTypeOf(ascii(text)), cleanFile(ascii(text))], [null, null])
})

const metadata = fc.uint8Array({ maxLength: 200 }).map((bytes) => concat([secret, bytes]))
// Any marker of an application, and comments. The profile and the frame of JPEG have data of their own.
const marker = fc.constantFrom(0xe0, 0xe1, 0xe2, 0xe3, 0xed, 0xee, 0xef, 0xfe)

Deno.test('leaves no text that a program could add to a JPEG, PNG or WebP', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(marker, metadata), { maxLength: 5 }), (segments) => {
      const dirty = segments.reduce<Uint8Array>((jpeg, [kind, data]) => withSegment(jpeg, kind, data), JPEG)
      assert.deepEqual(cleanOf(dirty), JPEG)
    }),
  )
  const name = fc.constantFrom('tEXt', 'iTXt', 'zTXt', 'eXIf', 'tIME', 'sPLT', 'hIST', 'abCd')
  fc.assert(
    fc.property(fc.array(fc.tuple(name, metadata), { maxLength: 5 }), (chunks) => {
      assert.deepEqual(
        cleanOf(chunks.reduce<Uint8Array>((png, [kind, data]) => withChunk(png, kind, data), PNG)),
        PNG,
      )
    }),
  )
  const riffName = fc.constantFrom('EXIF', 'XMP ', 'note', 'LIST', 'JUNK')
  fc.assert(
    fc.property(fc.array(fc.tuple(riffName, metadata), { maxLength: 5 }), (chunks) => {
      const dirty = chunks.reduce<Uint8Array>(
        (webp, [kind, data]) => withRiffChunk(webp, kind, data, 0x0c),
        WEBP,
      )
      assert.deepEqual(cleanOf(dirty)?.subarray(21), WEBP.subarray(21))
    }),
  )
})

Deno.test('rejects or cleans damaged pictures, and cleaning twice changes nothing more', () => {
  const picture = fc.constantFrom(
    JPEG,
    PNG,
    WEBP,
    withExif(JPEG, 6),
    withChunk(PNG, 'tEXt', secret),
    withRiffChunk(WEBP, 'EXIF', exif(1), 8),
  )
  const damage = fc.array(fc.tuple(fc.nat(700), fc.nat(255)), { maxLength: 8 })
  fc.assert(
    fc.property(picture, damage, fc.nat(800), (bytes, changes, length) => {
      const damaged = bytes.slice(0, length < 700 ? undefined : length - 700)
      for (const [at, value] of changes) if (at < damaged.length) damaged[at] = value
      const first = cleanFile(damaged)
      if (first === null) return
      assert.ok(first.content.length <= damaged.length + 36)
      assert.deepEqual(cleanFile(first.content), first)
    }),
    { numRuns: 2000 },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(3, 12, 40), (noise, length) => {
      for (const bytes of Object.values(PICTURES)) cleanFile(concat([bytes.subarray(0, length), noise]))
    }),
    { numRuns: 2000 },
  )
})
