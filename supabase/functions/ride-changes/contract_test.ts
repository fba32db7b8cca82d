import assert from 'node:assert/strict'
import { is, parse } from 'valibot'
import { Input } from './contract.ts'

Deno.test('accepts a sync and a number of rides to skip', () => {
  assert.deepEqual(parse(Input, undefined), {})
  for (const input of [{}, { sync_id: 7 }, { sync_id: 7, skip: 50 }]) {
    assert.deepEqual(parse(Input, input), input)
  }
})

for (const input of [[], { sync_id: '7' }, { sync_id: 0 }, { skip: -1 }, { skip: 3e9 }, { x: 1 }]) {
  Deno.test(`rejects the input ${JSON.stringify(input)}`, () => {
    assert.equal(is(Input, input), false)
  })
}
