import assert from 'node:assert/strict'
import { toBike } from './bike.ts'

const gear = { id: 3066, nickname: null, name: null, make: null, model: null }

Deno.test('a bike is named by its nickname, else its name, else make and model, else its number', () => {
  const named = [
    { ...gear, nickname: 'Blue', name: 'Nice Bike', make: 'Nice', model: 'Bike' },
    { ...gear, nickname: '  ', name: 'Nice Bike', make: 'Nicer', model: 'Bike' },
    { ...gear, name: '', make: 'Nice', model: 'Bike' },
    { ...gear, make: ' ', model: 'Bike' },
    { ...gear, make: 'Nice' },
    gear,
  ]
  assert.deepEqual(
    named.map((item) => toBike(item).name),
    ['Blue', 'Nice Bike', 'Nice Bike', 'Bike', 'Nice', 'Bike 3066'],
  )
})
