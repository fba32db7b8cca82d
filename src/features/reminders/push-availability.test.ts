import { expect, test } from 'vitest'

import { type Abilities, whyUnavailable } from './push-availability.ts'

const able: Abilities = { isSecure: true, hasPush: true, isApplePhone: false, permission: 'default' }

test.each<[string, Partial<Abilities>, string | undefined, RegExp]>([
  ['over http', { isSecure: false, hasPush: false }, 'key', /over https/],
  ['without keys', {}, undefined, /no keys/],
  ['in Safari on an iPhone', { hasPush: false, isApplePhone: true }, 'key', /Add to Home Screen/],
  ['in a browser without push', { hasPush: false }, 'key', /doesn’t support/],
  ['while they are blocked', { permission: 'denied' }, 'key', /blocked/],
  ['in a browser', {}, 'key', /^available$/],
  ['in an app on an iPhone', { isApplePhone: true }, 'key', /^available$/],
  ['with the permission', { permission: 'granted' }, 'key', /^available$/],
])('says whether notifications are available %s', (_, abilities, key, reason) => {
  expect(whyUnavailable({ ...able, ...abilities }, key) ?? 'available').toMatch(reason)
})
