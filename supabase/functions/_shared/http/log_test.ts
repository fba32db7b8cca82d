import assert from 'node:assert/strict'
import { describeError } from './log.ts'
import { recordLog } from '../testing.ts'

Deno.test('logs an event as one line of JSON', () => {
  const { log, lines } = recordLog()
  log.info('rides_updated', { added: 3, note: 'two\nlines' })
  assert.equal(lines.length, 1)
  assert.ok(!lines[0]?.includes('\n'))
  assert.deepEqual(JSON.parse(lines[0] ?? ''), {
    source: 'test',
    event: 'rides_updated',
    added: 3,
    note: 'two\nlines',
  })
})

Deno.test('redacts secrets, URL-encoded secrets, email addresses and query strings', () => {
  const { log, lines } = recordLog(['s3cret&more', ''])
  log.error('unexpected_error', {
    detail:
      'GET https://example.com/a.json?key=1&b=2 said s3cret&more and s3cret%26more to rider@example.com',
  })
  for (const secret of ['s3cret', 'key=1', 'rider@', 'b=2']) assert.ok(!lines[0]?.includes(secret), secret)
  assert.ok(lines[0]?.includes('https://example.com/a.json'))
})

Deno.test('describes an error by its name, its code and the start of its message', () => {
  const error = Object.assign(new RangeError('x'.repeat(1000)), { code: '23505' })
  const { error: name, sqlstate, detail } = describeError(error)
  assert.deepEqual([name, sqlstate, String(detail).length], ['RangeError', '23505', 300])
  assert.deepEqual(describeError('thrown text, which may contain anything'), { error: 'string' })
})
