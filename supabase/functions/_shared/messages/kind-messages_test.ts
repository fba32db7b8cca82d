import assert from 'node:assert/strict'
import { kindText, positionBeside } from './kind-messages.ts'

Deno.test('names a kind with its end', () => {
  assert.equal(kindText({ kind: 'tire', position: 'rear' }), 'rear tire')
  assert.equal(kindText({ kind: 'brake pads', position: 'both' }), 'front and rear brake pads')
  assert.equal(kindText({ kind: 'chain', position: null }), 'chain')
  assert.equal(kindText({ kind: null, position: null }), null)
})

Deno.test('says beside a name where the part is, unless the name does', () => {
  assert.equal(positionBeside('GP 5000 S TR', 'front'), 'front')
  assert.equal(positionBeside('GP 5000, Front', 'front'), null)
  assert.equal(positionBeside('GP 5000, front', 'rear'), 'rear')
  assert.equal(positionBeside('Marathon 35, pair', 'both'), null)
  assert.equal(positionBeside('Marathon 35', 'both'), 'front and rear')
  assert.equal(positionBeside('Chain', null), null)
})
