// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { expect, test } from 'vitest'

import { fakeStore } from '../../lib/fake-backend.ts'
import { US } from '../../lib/fake-formats.ts'
import { type Channel, stateOf } from './channels.ts'
import { Channels } from './Channels.tsx'

const NEVER = { sent_at: null, failed_at: null, error: null }
const ntfy: Channel = { channel: 'ntfy', label: 'ntfy', target: 'ntfy.example.com/bikes', ...NEVER }
const webPush: Channel = { channel: 'web_push', label: 'Browsers', target: null, ...NEVER }

const OFF = [
  { label: 'ntfy', variable: 'NTFY_URL' },
  { label: 'Webhook', variable: 'WEBHOOK_URL' },
]

function open(channels: Channel[], respond: (test?: string) => Response | null = () => null) {
  const { store } = fakeStore(({ body }) => {
    const { test } = (body ?? {}) as { test?: string }
    return respond(test) ?? Response.json({ channels, off: OFF })
  })
  render(
    <Provider store={store}>
      <ul>
        <Channels />
      </ul>
    </Provider>,
  )
}

test('says how to turn on channels that are not set up', async () => {
  open([webPush])
  expect(await screen.findByText('ntfy and webhook')).toBeDefined()
  expect(await screen.findByText(/^Off\. To turn them on, set NTFY_URL or WEBHOOK_URL/)).toBeDefined()
  expect(screen.queryByRole('button')).toBeNull()
})

test('sends a test and shows its result', async () => {
  const channels = [webPush, ntfy]
  open(channels, (test) => {
    if (test === 'ntfy') {
      channels[1] = { ...ntfy, failed_at: new Date().toISOString(), error: '401' }
    }
    return null
  })
  expect(await screen.findByText('ntfy · ntfy.example.com/bikes')).toBeDefined()
  expect(screen.getByRole('status').textContent).toBe('Nothing sent yet')
  await userEvent.click(screen.getByRole('button', { name: 'Send a test' }))
  expect(await screen.findByText('Failed just now: 401')).toBeDefined()
})

test('shows why a test could not be sent', async () => {
  open([ntfy], (test) =>
    test
      ? Response.json({ code: 'unknown_channel', message: 'This channel is not set up.' }, { status: 404 })
      : null,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Send a test' }))
  expect((await screen.findByText('This is no longer set up. Reload the page.')).getAttribute('role')).toBe(
    'alert',
  )
})

test.each([
  [NEVER, 'Nothing sent yet'],
  [{ ...NEVER, sent_at: '2026-11-23T08:00:00Z' }, 'Sent 2 h ago'],
  [{ ...NEVER, failed_at: '2026-11-23T09:30:00Z', error: '401' }, 'Failed 30 min ago: 401'],
  [{ sent_at: '2026-11-23T09:50:00Z', failed_at: '2026-11-23T09:30:00Z', error: null }, 'Sent 10 min ago'],
])('describes %j', (state, text) => {
  const now = Date.parse('2026-11-23T10:00:00Z')
  expect(stateOf({ ...ntfy, ...state }, US, now)).toBe(text)
})
