import { createStore } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'

import { backendAtom } from '../../lib/backend.ts'
import { fakeBackend } from '../../lib/fake-backend.ts'
import { forgetImportAtom, importAtom, readImportAtom, writeImportAtom } from './atoms.ts'

const toasts = vi.hoisted(() => ({ done: [] as string[], failures: [] as string[] }))
vi.mock('../../components/toasts.tsx', () => ({
  notifyDone: (sentence: string) => toasts.done.push(sentence),
  notifyFailure: (sentence: string) => toasts.failures.push(sentence),
}))

beforeEach(() => {
  toasts.done.length = 0
  toasts.failures.length = 0
})

const fileOf = (name: string) => new File([`Bike,Name,Start\nRoad,${name},2024-01-01`], `${name}.csv`)

/** An import that is being written when its dialog is closed and another file chosen; `answer` is what comes of it. */
async function closedWhileWriting(answer: () => Response) {
  const written = Promise.withResolvers<Response>()
  const { backend } = fakeBackend(({ path }) => {
    if (path.startsWith('/rest/v1/rpc/')) return written.promise
    return Response.json(path.startsWith('/rest/v1/bikes') ? [{ gear_id: 1, name: 'Road' }] : [])
  })
  const store = createStore()
  store.set(backendAtom, backend)
  await store.set(readImportAtom, fileOf('Chain'))
  const outcome = store.set(writeImportAtom)
  store.set(forgetImportAtom)
  const other = fileOf('Belt')
  await store.set(readImportAtom, other)
  written.resolve(answer())
  expect(await outcome).toBe(false)
  expect(store.get(importAtom)).toMatchObject({ file: other, step: 'preview', isWriting: false })
}

test('an import whose dialog was closed meanwhile is told when it is done, and leaves the next one alone', async () => {
  await closedWhileWriting(() => Response.json(1))
  expect(toasts).toEqual({ done: ['Imported: 1 record added.'], failures: [] })
})

test.each([
  ['RMT04', 'Nothing was written. The log has changed since this preview.'],
  ['42501', 'Nothing was written. This account is not the owner of this tracker.'],
])('so is one that fails with %s', async (code, sentence) => {
  await closedWhileWriting(() => Response.json({ code, message: '' }, { status: 403 }))
  expect(toasts).toEqual({ done: [], failures: [sentence] })
})
