// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { closeEntry, pushEntry, restoreScroll } from './history.ts'

/** Where the page is. jsdom doesn't scroll. */
let top = 0
/** The entries before the current one. jsdom tells of going back before it does. */
const earlier: [state: unknown, url: string][] = []
function back() {
  const [state, url] = earlier.pop()!
  window.history.replaceState(state, '', url)
  window.dispatchEvent(new PopStateEvent('popstate'))
}
/** The content gets its height. */
let grow = () => {}
let stop = () => {}

beforeEach(() => {
  top = 0
  vi.stubGlobal('scrollTo', (to: ScrollToOptions) => (top = to.top!))
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => top)
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(run: () => void) {
        grow = run
      }
      observe = () => undefined
      disconnect = () => (grow = () => {})
    },
  )
  window.history.replaceState(null, '', '/#garage')
  const push = window.history.pushState.bind(window.history)
  vi.spyOn(window.history, 'pushState').mockImplementation((...entry) => {
    earlier.push([window.history.state, window.location.href])
    push(...entry)
  })
  vi.spyOn(window.history, 'back').mockImplementation(back)
  stop = restoreScroll()
})

afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('another page starts at its top, and Back scrolls down again as the content loads', () => {
  expect(window.history.scrollRestoration).toBe('manual')
  top = 300
  pushEntry('#bike=1', false)
  expect(top).toBe(0)
  back()
  grow()
  expect(top).toBe(300)
  top = 100
  grow()
  expect(top).toBe(300)
  // The owner scrolls.
  document.dispatchEvent(new Event('wheel'))
  top = 50
  grow()
  expect(top).toBe(50)
})

test('what opens on the same page moves nothing, and neither does its end', () => {
  pushEntry('#bike=1', false)
  top = 300
  pushEntry('#bike=1&tab=rides', false)
  expect(top).toBe(300)
  pushEntry('#bike=1&item=2', true)
  // Saving scrolls to the new entry.
  top = 500
  closeEntry()
  grow()
  expect(top).toBe(500)
  expect(window.location.hash).toBe('#bike=1&tab=rides')
  // Only what was opened is closed by going back.
  closeEntry()
  expect(window.location.hash).toBe('#bike=1&tab=rides')
})

test('a page that is reloaded scrolls to where it was, also if it is reloaded again before that', async () => {
  vi.useFakeTimers()
  top = 4000
  window.dispatchEvent(new Event('scroll'))
  await vi.runAllTimersAsync()
  for (const reload of [1, 2]) {
    stop()
    top = reload
    stop = restoreScroll()
    window.dispatchEvent(new Event('scroll'))
    // oxlint-disable-next-line no-await-in-loop -- one reload after the other
    await vi.runAllTimersAsync()
  }
  grow()
  expect(top).toBe(4000)
})
