// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react'
import { createStore, Provider } from 'jotai'
import { expect, test } from 'vitest'

import { entryId, jumpToAtom, useJump } from './jump.ts'

function Log({ items }: { items: number[] }) {
  useJump()
  return (
    <>
      <input aria-label="Search" />
      {items.map((id) => (
        <div key={id} id={entryId(id)}>
          <input aria-label={`Name of ${id}`} />
        </div>
      ))}
    </>
  )
}

test.each([
  ['focuses an entry once it is rendered', [], 'Name of 5'],
  ['leaves the focus to an owner who types meanwhile', [new KeyboardEvent('keydown')], 'Search'],
  ['leaves the focus to an owner who taps meanwhile', [new Event('pointerdown')], 'Search'],
])('%s', (_title, events, focused) => {
  // jsdom doesn't scroll.
  Object.assign(HTMLElement.prototype, { scrollIntoView: () => undefined })
  const store = createStore()
  const view = (items: number[]) => (
    <Provider store={store}>
      <Log items={items} />
    </Provider>
  )
  const { rerender } = render(view([4]))
  screen.getByLabelText('Search').focus()
  act(() => store.set(jumpToAtom, 5))
  for (const event of events) act(() => void document.dispatchEvent(event))
  rerender(view([4, 5]))
  expect(document.activeElement).toBe(screen.getByLabelText(focused))
})
