import assert from 'node:assert/strict'
import root from '../../package.json' with { type: 'json' }
import all from './deno.json' with { type: 'json' }
import calendar from './calendar/deno.json' with { type: 'json' }
import garage from './garage/deno.json' with { type: 'json' }
import maintenanceUse from './maintenance-use/deno.json' with { type: 'json' }
import partLifetimes from './part-lifetimes/deno.json' with { type: 'json' }
import rideChanges from './ride-changes/deno.json' with { type: 'json' }
import serviceDue from './service-due/deno.json' with { type: 'json' }
import spending from './spending/deno.json' with { type: 'json' }
import toCheck from './to-check/deno.json' with { type: 'json' }
import updateRides from './update-rides/deno.json' with { type: 'json' }

const installed = new Map(Object.entries(root.devDependencies))

for (const [name, map] of Object.entries({
  all,
  calendar,
  garage,
  maintenanceUse,
  partLifetimes,
  rideChanges,
  serviceDue,
  spending,
  toCheck,
  updateRides,
})) {
  Deno.test(`the import map of ${name} matches the installed versions`, () => {
    for (const [specifier, target] of Object.entries(map.imports)) {
      assert.equal(target, `npm:${specifier}@${installed.get(specifier)}`)
    }
  })
}

Deno.test('deployed functions do not import test dependencies', () => {
  assert.deepEqual(garage.imports, updateRides.imports)
  assert.deepEqual(maintenanceUse.imports, updateRides.imports)
  assert.deepEqual(partLifetimes.imports, updateRides.imports)
  assert.deepEqual(rideChanges.imports, updateRides.imports)
  assert.deepEqual(serviceDue.imports, updateRides.imports)
  assert.deepEqual(spending.imports, updateRides.imports)
  assert.deepEqual(toCheck.imports, updateRides.imports)
  const { 'ical-generator': _feed, ...rest } = calendar.imports
  assert.deepEqual(rest, updateRides.imports)
  assert.deepEqual(Object.keys(updateRides.imports), ['@supabase/supabase-js', 'valibot'])
})
