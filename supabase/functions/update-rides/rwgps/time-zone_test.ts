import assert from 'node:assert/strict'
import { RAILS_TIME_ZONES } from './rails-time-zones.ts'
import { createTimeZones } from './time-zone.ts'

const resolve = createTimeZones()

Deno.test('an IANA name stays as it is, also the second time', () => {
  for (const name of ['America/New_York', 'Europe/London', 'Asia/Kolkata', 'UTC', 'America/New_York']) {
    assert.equal(resolve(name), name)
  }
})

Deno.test('a Rails name becomes the zone that it stands for', () => {
  assert.equal(resolve('London'), 'Europe/London')
  assert.equal(resolve('Pacific Time (US & Canada)'), 'America/Los_Angeles')
  assert.equal(resolve("Nuku'alofa"), 'Pacific/Tongatapu')
})

Deno.test('an abbreviation that PostgreSQL reads differently becomes the zone that it stands for', () => {
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

Deno.test('every Rails name leads to a zone', () => {
  assert.ok(RAILS_TIME_ZONES.size >= 151)
  for (const name of RAILS_TIME_ZONES.keys()) assert.notEqual(resolve(name), null, name)
})

Deno.test('what names no zone is unknown, also the second time', () => {
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
