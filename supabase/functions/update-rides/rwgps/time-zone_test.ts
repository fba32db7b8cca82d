import assert from 'node:assert/strict'
import { RAILS_TIME_ZONES } from './rails-time-zones.ts'
import { createTimeZones } from './time-zone.ts'

const resolve = createTimeZones()

Deno.test('keeps an IANA name, also from the cache', () => {
  for (const name of ['America/New_York', 'Europe/London', 'Asia/Kolkata', 'UTC', 'America/New_York']) {
    assert.equal(resolve(name), name)
  }
})

Deno.test('converts a Rails name', () => {
  assert.equal(resolve('London'), 'Europe/London')
  assert.equal(resolve('Pacific Time (US & Canada)'), 'America/Los_Angeles')
  assert.equal(resolve("Nuku'alofa"), 'Pacific/Tongatapu')
})

Deno.test('converts an abbreviation that PostgreSQL reads differently', () => {
  const zones = {
    IST: 'Asia/Kolkata',
    BST: 'Europe/London',
    CST: 'America/Chicago',
    PST: 'America/Los_Angeles',
    CET: 'Europe/Brussels',
    ist: 'Asia/Kolkata',
  }
  for (const [name, zone] of Object.entries(zones)) assert.equal(resolve(name), zone)
})

Deno.test('every Rails name has a valid zone', () => {
  assert.ok(RAILS_TIME_ZONES.size >= 151)
  for (const name of RAILS_TIME_ZONES.keys()) assert.notEqual(resolve(name), null, name)
})

Deno.test('returns null for unknown names, also from the cache', () => {
  for (const name of [
    '',
    'Mars/Olympus',
    '+02:00',
    '-05:00',
    'constructor',
    ' Europe/Paris',
    'Mars/Olympus',
    null,
  ]) {
    assert.equal(resolve(name), null, JSON.stringify(name))
  }
})
