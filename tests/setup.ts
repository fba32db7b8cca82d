import fc from 'fast-check'
import { afterEach, beforeEach, vi } from 'vitest'

// Property tests try the same cases in every run, so failures are reproducible. `CASES=2 npm test` tries other cases.
fc.configureGlobal({ seed: Number(process.env.CASES ?? 1) })

if ('document' in globalThis) {
  const { cleanup, configure } = await import('@testing-library/react')
  // Slow machines need more than the default of one second.
  configure({ asyncUtilTimeout: 60_000 })
  afterEach(cleanup)
  // The files of a worker share a document.
  beforeEach(() => {
    // A check of a backend that can't be reached would repeat into later tests.
    vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response()))
    localStorage.clear()
    sessionStorage.clear()
    window.location.hash = ''
  })
}
