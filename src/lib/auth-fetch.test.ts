import { expect, test, vi } from 'vitest'

import { observedFetch } from './auth-fetch.ts'

test.each([
  ['/auth/v1/token?grant_type=refresh_token', 507, 'unanswered'],
  ['/auth/v1/token?grant_type=password', 507, 'answered'],
  ['/rest/v1/bikes', 200, 'answered'],
  ['/rest/v1/bikes', 401, 'answered'],
  ['/rest/v1/bikes', 503, 'unanswered'],
])('a request to %s with status %d is reported as %s', async (path, status, outcome) => {
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status }))
  const report = vi.fn<Parameters<typeof observedFetch>[0]>()
  await observedFetch(report)(new URL(path, 'http://backend.test'))
  expect(report.mock.calls).toEqual([[outcome, path.split('?')[0]]])
})

test('reports a failed request, but not an aborted one', async () => {
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'))
  const report = vi.fn<Parameters<typeof observedFetch>[0]>()
  const send = (signal?: AbortSignal) =>
    observedFetch(report)('http://backend.test/rest/v1/bikes', { signal: signal ?? null })
  await expect(send(AbortSignal.abort())).rejects.toThrow('fetch failed')
  expect(report).not.toHaveBeenCalled()
  const unanswered = ['unanswered', '/rest/v1/bikes']
  await expect(send()).rejects.toThrow('fetch failed')
  expect(report.mock.calls).toEqual([unanswered])
  // One that was given up because it took too long.
  await expect(send(AbortSignal.abort(new DOMException('', 'TimeoutError')))).rejects.toThrow('fetch failed')
  expect(report.mock.calls).toEqual([unanswered, unanswered])
})
