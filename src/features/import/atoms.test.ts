// @vitest-environment jsdom
import { createStore } from 'jotai'
import { expect, test } from 'vitest'

import { recordToasts } from '../../components/record-toasts.ts'
import { backendAtom } from '../../lib/backend.ts'
import { type Command, fakeBackend, GATE, written as answered } from '../../lib/fake-backend.ts'
import { closeImportAtom, importAtom, previewImportAtom, runImportAtom } from './atoms.ts'

const toasts = recordToasts()

const fileOf = (name: string) => new File([`Bike,Name,Start\nRoad,${name},2024-01-01`], `${name}.csv`)

const isPreview = (body: unknown) => Boolean((body as Command).arguments['dry_run'])
const NOTHING_REFUSED = () => answered({ written: 1, refused: {} }, null)

/** Answers reads with a bike and no entries. */
function emptyLog(path: string): Response {
  if (path.endsWith('/rpc/log_items')) return Response.json({ items: [] })
  return Response.json(path.startsWith('/rest/v1/bikes') ? [{ gear_id: 1, name: 'Road' }] : [])
}

/** Closes the dialog and chooses another file during an import, whose response is `answer`. */
async function closedWhileWriting(answer: () => Response) {
  const written = Promise.withResolvers<Response>()
  const { backend } = fakeBackend(({ path, body }) => {
    if (path === GATE) return isPreview(body) ? NOTHING_REFUSED() : written.promise
    return emptyLog(path)
  })
  const store = createStore()
  store.set(backendAtom, backend)
  await store.set(previewImportAtom, fileOf('Chain'))
  const outcome = store.set(runImportAtom)
  store.set(closeImportAtom)
  const other = fileOf('Belt')
  await store.set(previewImportAtom, other)
  written.resolve(answer())
  expect(await outcome).toBe(false)
  expect(store.get(importAtom)).toMatchObject({ file: other, step: 'preview', isBusy: false })
}

test('reports an import whose dialog was closed, without affecting the next one', async () => {
  await closedWhileWriting(() => answered({ written: 1 }, 'a'))
  expect(toasts).toMatchObject({
    offers: [{ message: 'Imported: 1 log entry added.', label: 'Undo' }],
    failures: [],
  })
})

test.each([
  ['RMT04', 'The import was not saved. The log has changed since this preview.'],
  ['42501', 'The import was not saved. This account does not own this tracker.'],
])('reports a failure with %s after the dialog was closed', async (code, message) => {
  await closedWhileWriting(() => Response.json({ code, message: '' }, { status: 403 }))
  expect(toasts).toMatchObject({ done: [], failures: [message] })
})

test('imports once, under the same key, however many responses are lost', async () => {
  const keys: string[] = []
  const { backend } = fakeBackend(({ path, body }) => {
    if (path !== GATE) return emptyLog(path)
    if (isPreview(body)) return NOTHING_REFUSED()
    keys.push((body as Command).key)
    if (keys.length < 3) throw new TypeError('Failed to fetch')
    return answered({ written: 1 }, 'a')
  })
  const store = createStore()
  store.set(backendAtom, backend)
  await store.set(previewImportAtom, fileOf('Chain'))
  expect(await store.set(runImportAtom)).toBe(false)
  expect(store.get(importAtom)).toMatchObject({
    step: 'preview',
    isBusy: false,
    problem:
      'The import may or may not have been saved. The connection dropped. Try again; nothing is saved twice.',
  })
  expect(await store.set(runImportAtom)).toBe(true)
  expect(toasts).toMatchObject({
    offers: [{ message: 'Imported: 1 log entry added.', label: 'Undo' }],
    failures: [],
  })
  expect([keys.length, new Set(keys).size]).toEqual([3, 1])
})
