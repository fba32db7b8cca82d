// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { type Command, fakeBackend, fakeStore, GATE, type Sent, writtenTo } from '../../lib/fake-backend.ts'
import { forgetBrowser } from './push.ts'
import { BrowserNotifications } from './BrowserNotifications.tsx'

const KEY = 'BAE'
const KEYS = { p256dh: 'p', auth: 'a' }

/** The browser's subscription, and the endpoints that the tracker has stored. */
let subscription: PushSubscription | null
let subscribe: (options: { applicationServerKey: string }) => Promise<void>
let stored: Set<string>
let respond: () => Response | null | Promise<null>
const answer = vi.fn<() => Promise<NotificationPermission>>()

const unsubscribe = async () => {
  subscription = null
  return true
}

function newSubscription(endpoint: string, key: string): PushSubscription {
  const options = { applicationServerKey: Uint8Array.from(atob(key), (each) => each.charCodeAt(0)).buffer }
  const toJSON = () => ({ endpoint, keys: KEYS })
  return { endpoint, options, toJSON, unsubscribe } as unknown as PushSubscription
}

beforeEach(() => {
  subscription = null
  stored = new Set()
  tests = []
  respond = () => null
  answer.mockResolvedValue('granted')
  subscribe = async ({ applicationServerKey }) => {
    subscription = newSubscription('https://push.test/new', `${applicationServerKey}=`)
  }
  const pushManager = {
    getSubscription: async () => subscription,
    async subscribe(options: { applicationServerKey: string }) {
      await subscribe(options)
      return subscription
    },
  }
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('PushManager', Object)
  vi.stubGlobal('Notification', { permission: 'default', requestPermission: answer })
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { getRegistration: async () => ({ pushManager }) },
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

let tests: string[]
async function answerTo({ path, body }: Sent): Promise<Response> {
  const failure = await respond()
  if (failure) return failure
  if (path.endsWith('/channels')) {
    const { test } = (body ?? {}) as { test?: string }
    if (test) tests.push(test)
    const sent_at = tests.length > 0 ? new Date().toISOString() : null
    return Response.json({
      channels: [
        { channel: 'web_push', label: 'Browsers', target: null, sent_at, failed_at: null, error: null },
      ],
      off: [],
    })
  }
  if (path !== GATE) return Response.json(stored.has((body as { endpoint: string }).endpoint))
  const { command, arguments: args } = body as Command
  if (command === 'add_push_subscription') stored.add(args['endpoint'] as string)
  else stored.delete(args['endpoint'] as string)
  return writtenTo('push_subscriptions')
}
const { backend } = fakeBackend(answerTo)

function open() {
  const { store } = fakeStore(answerTo, { vapidPublicKey: KEY })
  render(
    <Provider store={store}>
      <BrowserNotifications />
    </Provider>,
  )
}
const button = (name: string) => screen.findByRole('button', { name })
const press = async (name: string) => userEvent.click(await button(name))

test('turns notifications on and off', async () => {
  open()
  await press('Turn on')
  expect(await screen.findByText(/^On\./)).toBeDefined()
  expect([...stored]).toEqual(['https://push.test/new'])
  expect(document.activeElement).toBe(await button('Turn off'))
  await press('Turn off')
  expect(await screen.findByText('Off')).toBeDefined()
  expect([stored.size, subscription]).toEqual([0, null])
})

test('sends a test to a browser with notifications', async () => {
  open()
  await press('Turn on')
  expect(await screen.findByText('Nothing sent yet')).toBeDefined()
  const sending = Promise.withResolvers<null>()
  respond = () => sending.promise
  await press('Send a test')
  expect((await button('Send a test')).getAttribute('aria-busy')).toBe('true')
  expect((await button('Turn off')).getAttribute('aria-busy')).toBe('false')
  sending.resolve(null)
  expect(await screen.findByText('Sent just now')).toBeDefined()
  expect(tests).toEqual(['web_push'])
})

test('shows that notifications are on', async () => {
  subscription = newSubscription('https://push.test/known', 'BAE=')
  stored.add('https://push.test/known')
  open()
  expect(await screen.findByText(/^On\./)).toBeDefined()
})

test('replaces a subscription with another key', async () => {
  subscription = newSubscription('https://push.test/old', 'AAA=')
  open()
  await press('Turn on')
  await button('Turn off')
  expect([...stored]).toEqual(['https://push.test/new'])
})

test('shows an error if the owner denies the permission', async () => {
  answer.mockResolvedValue('denied')
  open()
  await press('Turn on')
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(/didn’t allow/))
  expect([stored.size, subscription]).toEqual([0, null])
})

test('shows an error if the push service was not reached', async () => {
  subscribe = () => Promise.reject(new DOMException('push service error', 'AbortError'))
  open()
  await press('Turn on')
  await vi.waitFor(() =>
    expect(screen.getByRole('alert').textContent).toMatch(/could not reach its push service/),
  )
})

test('drops a subscription that the tracker refused', async () => {
  open()
  await button('Turn on')
  const message = 'violates check constraint "push_subscriptions_endpoint_check"'
  respond = () => Response.json({ code: '23514', message }, { status: 400 })
  await press('Turn on')
  await vi.waitFor(() =>
    expect(screen.getByRole('alert').textContent).toMatch(/doesn’t know the push service/),
  )
  expect(subscription).toBeNull()
})

test('shows why notifications are unavailable, without a button', async () => {
  vi.stubGlobal('isSecureContext', false)
  open()
  expect(await screen.findByText(/over https/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Turn on' })).toBeNull()
})

test('signing out forgets this browser, even if the tracker fails', async () => {
  subscription = newSubscription('https://push.test/new', 'BAE=')
  stored.add('https://push.test/new')
  await forgetBrowser(backend.client)
  expect([stored.size, subscription]).toEqual([0, null])

  subscription = newSubscription('https://push.test/new', 'BAE=')
  respond = () => Response.json({ message: 'no' }, { status: 500 })
  await forgetBrowser(backend.client)
  expect(subscription).toBeNull()
})

test('signing out does not wait for a session that can’t be refreshed', async () => {
  subscription = newSubscription('https://push.test/new', 'BAE=')
  respond = () => new Promise<never>(() => undefined)
  const timeout = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal)
  const forgotten = forgetBrowser(backend.client)
  await expect.poll(() => subscription).toBeNull()
  timeout.abort()
  await forgotten
})
