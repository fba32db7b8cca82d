// @vitest-environment jsdom
import { createStore } from 'jotai'
import { expect, test } from 'vitest'

import { recordToasts } from '../../components/record-toasts.ts'
import { backendAtom } from '../../lib/backend.ts'
import { type Command, fakeBackend, GATE, written as answered } from '../../lib/fake-backend.ts'
import {
  askColumnsAtom,
  chooseColumnsAtom,
  choosePreviewAtom,
  closeImportAtom,
  importAtom,
  previewImportAtom,
  runImportAtom,
} from './atoms.ts'

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

const SHEET = 'Maintenance Item,Odo\nChain,100\nTire,300'
const DAYS_REACHED = '/rest/v1/rpc/days_reached'

/** A log whose bike's rides reached 200 miles on a day. */
function reachedLog(path: string, body: unknown): Response {
  if (path === GATE) return NOTHING_REFUSED()
  if (path !== DAYS_REACHED) return emptyLog(path)
  const { readings } = body as { readings: { gear_id: number; distances: number[] }[] }
  const answer = readings.map(({ gear_id, distances }) => ({
    gear_id,
    distance: 200 * 1609,
    days: distances.map((meters) => (meters <= 200 * 1609 ? '2024-05-01' : null)),
  }))
  return Response.json({ bikes: answer })
}

test('asks once what a sheet’s columns are, then for what it doesn’t say, and refuses a reading beyond the rides', async () => {
  localStorage.clear()
  const { backend, sent } = fakeBackend(({ path, body }) => reachedLog(path, body))
  const store = createStore()
  store.set(backendAtom, backend)
  const file = new File([SHEET], 'sheet.csv')
  await store.set(previewImportAtom, file)
  expect(store.get(importAtom)).toMatchObject({
    step: 'columns',
    source: { proposal: { targets: ['name', 'installed_at'] } },
  })
  expect(await store.set(runImportAtom)).toBe(false)
  await store.set(chooseColumnsAtom, ['name', 'installed_at'])
  const shown = () => store.get(importAtom)
  expect(shown()).toMatchObject({
    step: 'preview',
    preview: { unit: { chosen: null }, bikes: [{ gear_id: 1 }] },
  })
  await store.set(choosePreviewAtom, { bikeId: 1 })
  expect(await store.set(runImportAtom)).toBe(false)
  await store.set(choosePreviewAtom, { unit: 'mi' })
  expect(shown()).toMatchObject({
    preview: {
      added: [{ line: 2, values: { dateStarted: '2024-05-01 01:00:00' }, approximate: ['dateStarted'] }],
      refused: [
        { line: 3, messages: ['Odometer when installed “300 mi”: Road’s rides only reach 200.0\u{A0}mi.'] },
      ],
    },
  })
  expect(sent.filter(({ path }) => path === DAYS_REACHED)).toHaveLength(1)
  store.set(askColumnsAtom)
  expect(shown()).toMatchObject({ step: 'columns', choices: { targets: ['name', 'installed_at'] } })

  await store.set(previewImportAtom, new File([`${SHEET}\nSaddle,50`], 'later.csv'))
  expect(shown()).toMatchObject({ step: 'preview', preview: { unit: { chosen: 'mi' } } })
  await store.set(choosePreviewAtom, { bikeId: 1 })
  expect(shown()).toMatchObject({ preview: { added: [{ line: 2 }, { line: 4 }], refused: [{ line: 3 }] } })
})

test('keeps the preview if the days of a choice can’t be read', async () => {
  let isDown = false
  const { backend } = fakeBackend(({ path, body }) => {
    if (isDown && path === DAYS_REACHED) throw new TypeError('Failed to fetch')
    return reachedLog(path, body)
  })
  const store = createStore()
  store.set(backendAtom, backend)
  await store.set(
    previewImportAtom,
    new File(['Bike,Part,Installed at (mi),Removed at (mi)\nRoad,Chain,10,20'], 'odometer.csv'),
  )
  isDown = true
  await store.set(choosePreviewAtom, { unit: 'km' })
  expect(store.get(importAtom)).toMatchObject({
    step: 'preview',
    isBusy: false,
    problem: expect.stringContaining('reach') as string,
    preview: { added: [{ line: 2 }] },
  })
})
