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
  assert.deepEqual(Object.keys(garage.imports), ['@supabase/supabase-js', 'valibot'])
  assert.deepEqual(maintenanceUse.imports, garage.imports)
  assert.deepEqual(partLifetimes.imports, garage.imports)
  assert.deepEqual(rideChanges.imports, garage.imports)
  assert.deepEqual(serviceDue.imports, garage.imports)
  assert.deepEqual(spending.imports, garage.imports)
  assert.deepEqual(toCheck.imports, garage.imports)
  const { 'ical-generator': _feed, ...ofCalendar } = calendar.imports
  assert.deepEqual(ofCalendar, garage.imports)
  const { '@block65/webcrypto-web-push': _push, ...ofUpdateRides } = updateRides.imports
  assert.deepEqual(ofUpdateRides, garage.imports)
})
