import assert from 'node:assert/strict'
import { createTimeZones } from './time-zone.ts'

const resolve = createTimeZones()

Deno.test('keeps an IANA name, also from the cache', () => {
  for (const name of ['America/New_York', 'Europe/London', 'Asia/Kolkata', 'UTC', 'America/New_York']) {
    assert.equal(resolve(name), name)
  }
})

Deno.test('converts a Rails name or an abbreviation', () => {
  const zones = {
    'Pacific Time (US & Canada)': 'America/Los_Angeles',
    "Nuku'alofa": 'Pacific/Tongatapu',
    Samoa: 'Pacific/Apia',
    'Puerto Rico': 'America/Puerto_Rico',
    Istanbul: 'Europe/Istanbul',
    Nairobi: 'Africa/Nairobi',
    'Hong Kong': 'Asia/Hong_Kong',
    Azores: 'Atlantic/Azores',
    Perth: 'Australia/Perth',
    'Port Moresby': 'Pacific/Port_Moresby',
    // PostgreSQL reads these differently.
    IST: 'Asia/Kolkata',
    BST: 'Europe/London',
    CST: 'America/Chicago',
    PST: 'America/Los_Angeles',
    CET: 'Europe/Brussels',
    ist: 'Asia/Kolkata',
  }
  for (const [name, zone] of Object.entries(zones)) assert.equal(resolve(name), zone)
})

Deno.test('returns undefined for unknown names, also from the cache', () => {
  const names = ['', 'Mars/Olympus', '+02:00', '-05:00', 'constructor', ' Europe/Paris', 'GMT+5']
  for (const name of [...names, 'Mars/Olympus', undefined])
    assert.equal(resolve(name), undefined, JSON.stringify(name))
})
