import assert from 'node:assert/strict'
import { nameKey, partKey } from './part-names.ts'

for (const name of ['KMC X11', ' kmc  x11', 'KMCX11', 'ＫＭＣ Ｘ１１', 'kmc\u00A0x11\n']) {
  Deno.test(`${JSON.stringify(name)} is the same name as KMC X11`, () => {
    assert.equal(nameKey(name), nameKey('KMC X11'))
  })
}

Deno.test('a different name or type is a different part', () => {
  const keys = [
    { type: 'Drivetrain', name: 'KMC X11' },
    { type: 'Drivetrain', name: 'KMC X10' },
    { type: 'Brakes', name: 'KMC X11' },
    { type: null, name: 'KMC X11' },
  ].map(partKey)
  assert.equal(new Set(keys).size, 4)
})
