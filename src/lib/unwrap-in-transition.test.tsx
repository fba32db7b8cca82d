// @vitest-environment jsdom
import { act, render } from '@testing-library/react'
import { atom, createStore, Provider, useAtomValue } from 'jotai'
import { expect, test } from 'vitest'

import { unwrapInTransition } from './unwrap-in-transition.ts'

/** Shows a promise's result beside what the rider has typed, and records all that was rendered. */
function show(promise: Promise<string>) {
  const typed = atom('')
  const arrived = unwrapInTransition(
    atom(() => promise),
    () => 'loading',
  )
  const rendered: string[] = []
  function Screen() {
    rendered.push(`${useAtomValue(arrived)} ${useAtomValue(typed)}`)
    return null
  }
  const store = createStore()
  render(
    <Provider store={store}>
      <Screen />
    </Provider>,
  )
  return { rendered, type: (text: string) => store.set(typed, text), arrived: () => store.get(arrived) }
}

test('renders what arrives after what the rider does', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const { rendered, type } = show(promise)
  await act(async () => {
    resolve('data')
    await promise.then(() => type('a'))
  })
  expect(rendered).toEqual(['loading ', 'loading a', 'data a'])
})

test('passes on why a promise was rejected', async () => {
  const failure = new Error('refused')
  const failed = unwrapInTransition(
    atom(() => Promise.reject<string>(failure)),
    () => 'loading',
  )
  const store = createStore()
  store.sub(failed, () => undefined)
  await Promise.resolve()
  await Promise.resolve()
  expect(() => store.get(failed)).toThrow(failure)
})
