import { expect, test } from 'vitest'

import { readText } from './csv-file.ts'

test.each([
  ['UTF-8', Buffer.from('Name\nKette, geölt')],
  ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Name\nKette, geölt', 'utf16le')])],
])('reads a file in %s', async (_encoding, bytes) => {
  expect(await readText(new Blob([bytes]))).toBe('Name\nKette, geölt')
})

test.each([
  ['not text', Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0, 0xfe]), 'This file is not UTF-8 text.'],
  ['text with a null', Buffer.from('Name\0'), 'This file is not UTF-8 text.'],
  ['too large', Buffer.alloc(5_000_001, 'x'), 'This file is larger than 5 MB.'],
])('refuses a file that is %s', async (_what, bytes, message) => {
  await expect(readText(new Blob([bytes]))).rejects.toThrow(message)
})
