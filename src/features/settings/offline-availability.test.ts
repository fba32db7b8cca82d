import { expect, test } from 'vitest'

import { whyNotOffline } from './offline-availability.ts'

const ABLE = { isSecure: true, hasServiceWorkers: true, hasOwnWorker: true, canCache: true }

test('says nothing if this browser can work offline', () => {
  expect(whyNotOffline(ABLE)).toBeNull()
})

test.each([
  [{ isSecure: false, hasServiceWorkers: false, hasOwnWorker: false }, 'Open the tracker over https.'],
  [{ hasServiceWorkers: false, hasOwnWorker: false }, 'Private windows and old browsers'],
  [{ hasOwnWorker: false }, 'Free up disk space'],
  [{ canCache: false }, 'Free up disk space'],
])('with %j, says %j', (abilities, message) => {
  expect(whyNotOffline({ ...ABLE, ...abilities })).toContain(message)
})
