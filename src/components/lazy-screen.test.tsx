// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { fakeStore } from '../lib/fake-backend.ts'
import { loadRemainingCode } from '../lib/lazy-code.ts'
import { fakeDialogs } from './fake-dialogs.ts'
import { lazyDialog, lazyScreen } from './lazy-screen.tsx'

fakeDialogs()

const Content = ({ name = 'Content' }: { name?: string; onClose?: () => void }) => <p>{name}</p>
const CODE = { default: Content }

const page = (entry: string) =>
  `<html><script type="module" crossorigin src="/assets/${entry}"></script></html>`

/** The server's page. */
let served: string
beforeEach(() => {
  served = page('index-a.js')
  document.head.innerHTML = '<script type="text/plain" src="/assets/index-a.js"></script>'
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response(served)))
  vi.spyOn(console, 'warn').mockReturnValue(undefined)
})
afterEach(() => void (document.head.innerHTML = ''))

/** Renders a component within a store. */
function show(element: React.ReactNode) {
  const { store } = fakeStore(() => new Response(null, { status: 500 }))
  render(<Provider store={store}>{element}</Provider>)
}

const failingOnce = () =>
  vi.fn<() => Promise<typeof CODE>>().mockResolvedValue(CODE).mockRejectedValueOnce(new TypeError())

test('says in its place that code could not be loaded, and loads it on “Try again”', async () => {
  const Screen = lazyScreen(failingOnce(), 'Loading')
  show(<Screen name="Lifetimes" />)
  expect(screen.getByText('Loading')).toBeDefined()
  expect(
    await screen.findByText('This could not be loaded. Check your connection and try again.'),
  ).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Lifetimes')).toBeDefined()
})

test.each([
  ['index-b.js', 'Reload'],
  ['index-a.js', 'Try again'],
  ['', 'Try again'],
])('if the page of the server has %j, it offers %s', async (entry, label) => {
  served = page(entry)
  const Screen = lazyScreen(failingOnce())
  show(<Screen />)
  expect(await screen.findByRole('button', { name: label })).toBeDefined()
})

test('a dialog whose code could not be loaded can be closed', async () => {
  const close = vi.fn<() => void>()
  const Trash = lazyDialog(failingOnce())
  show(<Trash onClose={close} />)
  const dialog = await screen.findByRole('dialog', { name: 'Could not open' })
  expect(dialog.textContent).toContain('Try again')
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(close).toHaveBeenCalledOnce()
})

test('loads the remaining code, and the code that it registers', async () => {
  const inner = vi.fn<() => Promise<typeof CODE>>().mockResolvedValue(CODE)
  const outer = vi.fn<() => Promise<typeof CODE>>(() => {
    lazyScreen(inner)
    return Promise.resolve(CODE)
  })
  lazyScreen(outer)
  await loadRemainingCode()
  expect([outer.mock.calls.length, inner.mock.calls.length]).toEqual([1, 1])
})
