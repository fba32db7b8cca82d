// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { expect, test, vi } from 'vitest'

import { isToken } from '../../../supabase/functions/_shared/http/tokens.ts'
import { fakeStore } from '../../lib/fake-backend.ts'
import { CalendarFeed } from './CalendarFeed.tsx'

interface Link {
  id: number
  token: string
  scope: string
  days?: number
  isRevoked?: boolean
}

/** Opens the settings' row and returns all tokens, newest last. */
function open(tokens: Link[], supabaseUrl = 'http://backend.test') {
  const { store } = fakeStore(
    ({ path, body }) => {
      const args = body as Link & { token_id: number }
      if (path.endsWith('create_token')) return Response.json(tokens.push({ ...args, id: tokens.length + 1 }))
      if (path.endsWith('revoke_token')) return Response.json((tokens[args.token_id - 1]!.isRevoked = true))
      return Response.json({ tokens: tokens.filter(({ isRevoked }) => !isRevoked) })
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
const valid = (tokens: Link[]) => tokens.filter(({ isRevoked }) => !isRevoked).map(({ token }) => token)
const READER = { id: 1, token: 'dashboard', scope: 'read' }
const LINK = { id: 1, token: 'link', scope: 'calendar' }

test('creates, renews and revokes a link, shows each one once, and leaves other tokens', async () => {
  const user = userEvent.setup()
  const tokens = open([READER])
  await user.click(await button('Create link'))
  const link = await screen.findByLabelText<HTMLInputElement>(/^Link/)
  expect(link.value).toBe(
    `http://backend.test/functions/v1/calendar/${tokens[1]!.token}/bike-maintenance.ics`,
  )
  expect(isToken(tokens[1]!.token)).toBe(true)
  expect(tokens[1]).toMatchObject({ name: 'Calendar feed', scope: 'calendar' })
  expect(document.activeElement).toBe(await button('Renew link'))

  await user.click(await button('Renew link'))
  await waitFor(() => expect(link.value).toContain(tokens[2]!.token))
  await waitFor(() => expect(valid(tokens)).toEqual(['dashboard', tokens[2]!.token]))

  await user.click(await button('Revoke link'))
  await button('Create link')
  expect(screen.queryByLabelText(/^Link/)).toBeNull()
  expect(valid(tokens)).toEqual(['dashboard'])
})

test('does not show an earlier link again', async () => {
  open([LINK])
  await button('Renew link')
  expect(screen.queryByLabelText(/^Link/)).toBeNull()
  expect(screen.getByText(/^You have a link/)).toBeDefined()
})

test('offers a download, by a token of a day, if calendars cannot reach the tracker and there is no link', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('BEGIN:VCALENDAR'))
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x')
  const tokens = open([READER], 'http://127.0.0.1:5173')
  await userEvent.setup().click(await button('Download'))
  await waitFor(() => expect(valid(tokens)).toEqual(['dashboard']))
  expect(tokens[1]).toMatchObject({ scope: 'calendar', days: 1 })
  expect(fetched).toHaveBeenCalledWith(
    `http://127.0.0.1:5173/functions/v1/calendar/${tokens[1]!.token}/bike-maintenance.ics`,
  )
  vi.restoreAllMocks()
  cleanup()
  open([LINK], 'http://127.0.0.1:5173')
  await button('Renew link')
  expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
})
