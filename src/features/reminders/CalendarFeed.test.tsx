// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { expect, test } from 'vitest'

import { fakeStore } from '../../lib/fake-backend.ts'
import { CalendarFeed } from './CalendarFeed.tsx'

/** Opens the dialog and returns the feed's tokens so far, newest last. Only the newest is valid. */
function open(token: string | null, supabaseUrl = 'http://backend.test') {
  const tokens = [token]
  const { store } = fakeStore(
    ({ path, body }) => {
      if (path.endsWith('set_calendar_token')) tokens.push((body as { token?: string }).token ?? null)
      return Response.json(tokens.at(-1) !== null)
    },
    { supabaseUrl },
  )
  render(
    <Provider store={store}>
      <CalendarFeed />
    </Provider>,
  )
  return tokens
}

const button = (name: string) => screen.findByRole('button', { name })

test('creates, renews and revokes a link, and shows each one once', async () => {
  const user = userEvent.setup()
  const tokens = open(null)
  await user.click(await button('Create link'))
  const link = await screen.findByLabelText<HTMLInputElement>(/^Link/)
  expect(link.value).toBe(`http://backend.test/functions/v1/calendar/${tokens[1]}.ics`)
  expect(tokens[1]).toMatch(/^[\w-]{43}$/)
  expect(document.activeElement).toBe(await button('Renew link'))

  await user.click(await button('Renew link'))
  await waitFor(() => expect(link.value).toContain(tokens[2]))
  expect(tokens[2]).not.toBe(tokens[1])

  await user.click(await button('Revoke link'))
  await button('Create link')
  expect(screen.queryByLabelText(/^Link/)).toBeNull()
  expect(tokens[3]).toBeNull()
})

test('does not show an earlier link again', async () => {
  open('x'.repeat(43))
  await button('Renew link')
  expect(screen.queryByLabelText(/^Link/)).toBeNull()
  expect(screen.getByText(/^You have a link/)).toBeDefined()
})

test('offers no download if there is a link, because that would break the link', async () => {
  const tokens = open('x'.repeat(43), 'http://127.0.0.1:5173')
  await button('Renew link')
  expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
  expect(tokens).toHaveLength(1)
})

test('offers a download if calendars cannot reach the tracker', async () => {
  open(null, 'http://127.0.0.1:5173')
  expect(await button('Download')).toBeDefined()
})
