import assert from 'node:assert/strict'
import { createToken, isToken } from './tokens.ts'

Deno.test('tokens are rmt_ and 40 random letters and digits', () => {
  const tokens = new Set(Array.from({ length: 200 }, createToken))
  assert.equal(tokens.size, 200)
  for (const token of tokens) {
    assert.match(token, /^rmt_[0-9A-Za-z]{40}$/)
    assert.ok(isToken(token))
  }
})

Deno.test('the last six characters are a checksum of the others', () => {
  // From Python: zlib.crc32(b'0123456789ABCDEFGHIJKLMNOPQRSTUVWX') in base 62.
  assert.ok(isToken('rmt_0123456789ABCDEFGHIJKLMNOPQRSTUVWX0TeJoD'))
})

Deno.test('finds every typo of one character, and two exchanged characters', () => {
  const token = createToken()
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === 'a' ? 'b' : 'a'
    assert.equal(isToken(token.slice(0, at) + other + token.slice(at + 1)), false)
    const exchanged = token.replace(new RegExp(`^(.{${at}})(.)(.)`), '$1$3$2')
    assert.equal(isToken(exchanged), exchanged === token)
  }
})

for (const text of [
  '',
  'rmt_',
  `rmt_${'a'.repeat(40)}`,
  `${createToken()}0`,
  ` ${createToken()}`,
  `${createToken()}\n`,
]) {
  Deno.test(`${JSON.stringify(text)} is no token`, () => assert.equal(isToken(text), false))
}
