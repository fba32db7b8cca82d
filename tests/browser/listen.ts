import { expect, type Page, type Request } from '@playwright/test'

export const RIDES = 'GET rides'
export const DOUBTED = 'POST rpc/doubted_rides'
export const LOG = 'POST rpc/log_items'
export const USAGE = 'POST maintenance-use'
export const SETTINGS = 'GET settings'
export const DUE = 'POST service-due'

/** Collects a page's requests. */
export function listen(page: Page) {
  let seen: string[] = []
  const open = new Set<Request>()
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  page.on('request', (request) => {
    open.add(request)
    const { pathname } = new URL(request.url())
    const [, name] = /^\/(?:rest|auth|functions)\/v1\/(.+)$/.exec(pathname) ?? []
    if (name) seen.push(`${request.method()} ${name}`)
  })

  async function finish() {
    let count
    do {
      count = seen.length
      await Promise.all([...open].map(async (request) => (await request.response())?.finished()))
      // Some requests wait for an earlier idle callback. The timeout is for pages that draw nothing and get no idle callback.
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2000 })))
    } while (open.size > 0 || seen.length > count)
  }

  return {
    /** Waits for these requests and forgets them with all earlier ones. */
    async skip(...requests: string[]) {
      await expect.poll(() => seen).toEqual(expect.arrayContaining(requests))
      await finish()
      seen = []
    },
    /** Waits for these requests and expects no others until the page is idle. */
    async expect(...requests: string[]) {
      await expect.poll(() => seen).toEqual(expect.arrayContaining(requests))
      await finish()
      expect(seen.toSorted()).toEqual(requests.toSorted())
      seen = []
    },
  }
}
