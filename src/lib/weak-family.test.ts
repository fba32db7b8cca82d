// @vitest-environment jsdom
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { atom, createStore } from 'jotai'
import { expect, test, vi } from 'vitest'

import { resourceAtom } from './resource.ts'
import { weakFamily } from './weak-family.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Returns whether data is still in memory after a garbage collection. */
async function isHeld(data: WeakRef<object>): Promise<boolean> {
  // A WeakRef holds what it refers to until the current task ends.
  await new Promise((resolve) => void setImmediate(resolve))
  collectGarbage()
  return data.deref() !== undefined
}

test('returns the same atom while it is in use', async () => {
  const family = weakFamily((id: number) => atom(id))
  const [one, two] = [family(1), family(2)]
  await isHeld(new WeakRef({}))
  expect([family(1) === one, family(2) === two]).toEqual([true, true])
})

test('releases the data of resources ten minutes after their last use, and what was computed from it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const data: Record<string, WeakRef<object>> = {}
  const rides = (name: string) => {
    const all = { name }
    data[name] = new WeakRef(all)
    return Promise.resolve(all)
  }
  const family = weakFamily((name: string) => resourceAtom({ reads: [] }, () => rides(name)))
  const computed = weakFamily((name: string) => atom((get) => [get(family(name))]))
  const single = resourceAtom({ reads: [] }, () => rides('single'))
  const store = createStore()
  const shown = store.sub(family('shown'), () => undefined)
  const leave = [store.sub(computed('left'), () => undefined), store.sub(single, () => undefined)]
  await Promise.all([store.set(family('left').settleAtom), store.set(single.settleAtom)])
  store.get(family('never shown'))
  await expect.poll(() => Object.keys(data)).toHaveLength(4)

  for (const stop of leave.splice(0)) stop()
  vi.advanceTimersByTime(9 * 60_000)
  const held = async () => {
    const names = Object.keys(data).toSorted()
    return (await Promise.all(names.map(async (name) => (await isHeld(data[name]!)) && name))).filter(Boolean)
  }
  expect(await held()).toEqual(['left', 'never shown', 'shown', 'single'])
  vi.advanceTimersByTime(60_000)
  expect(await held()).toEqual(['shown'])
  shown()
  vi.useRealTimers()
})
