// @vitest-environment jsdom
import { expect, test } from 'vitest'

import { type Command, fakeStore, GATE, type Sent, writtenTo } from './fake-backend.ts'
import { touchHereAtom } from './resource.ts'
import {
  areSettingsKnownAtom,
  chosenSettingsAtom,
  DEFAULT_SETTINGS,
  type Settings,
  settingsAtom,
  storeSettingsAtom,
} from './settings.ts'

/** A database with at most one row of settings. `hold` delays each request until it is released. */
function database(stored: Partial<Settings> | null = null) {
  let row: Settings | null = stored && { ...DEFAULT_SETTINGS, ...stored }
  let isDown = false
  let held: Promise<void> | null = null
  return {
    row: () => row,
    write: (wanted: Partial<Settings>) => (row = { ...DEFAULT_SETTINGS, ...row, ...wanted }),
    fail: (fails: boolean) => (isDown = fails),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = null
        resolve()
      }
    },
    async respond({ method, path, body }: Sent) {
      const isHeld = held
      if (isHeld) await isHeld
      if (isDown) return Response.json({ code: '57014', message: 'Too slow' }, { status: 500 })
      if (method === 'GET') return Response.json(row ? [row] : [])
      if (path === GATE) {
        const { command, arguments: wanted } = body as Command
        expect(command).toBe('set_settings')
        row = { ...DEFAULT_SETTINGS, ...row, ...wanted }
        return writtenTo('settings')
      }
      return new Response(null, { status: 404 })
    },
  }
}

function openPage(of: ReturnType<typeof database>) {
  const { store, sent } = fakeStore((request) => of.respond(request))
  const shown: Settings[] = []
  const note = () => shown.push(store.get(settingsAtom))
  store.sub(settingsAtom, note)
  store.sub(chosenSettingsAtom, () => undefined)
  note()
  return {
    sent,
    shown,
    settings: () => store.get(settingsAtom),
    chosen: () => store.get(chosenSettingsAtom),
    isKnown: () => store.get(areSettingsKnownAtom),
    save: (wanted: Partial<Settings>) => store.set(storeSettingsAtom, wanted),
    comeBack: () => store.set(touchHereAtom, ['settings']),
  }
}

const KM = { ...DEFAULT_SETTINGS, distance: 'km' } as const
async function read(page: ReturnType<typeof openPage>): Promise<void> {
  await expect.poll(() => page.chosen()).not.toBeNull()
}

async function openAndRead(of: ReturnType<typeof database>) {
  const page = openPage(of)
  await read(page)
  return page
}

test('has the spec’s formats until the owner chooses', async () => {
  const page = openPage(database())
  expect([page.settings(), page.chosen()]).toEqual([DEFAULT_SETTINGS, null])
  await read(page)
  const formats = { distance: 'mi', dates: 'MM/DD/YYYY', currency: 'USD', week_start: 'Sunday' }
  expect([page.settings(), page.chosen()]).toEqual([formats, false])
})

test('shows the settings that this browser knew at once, and then those of the database', async () => {
  const stored = database({ distance: 'km' })
  const first = openPage(stored)
  expect(first.isKnown()).toBe(false)
  await read(first)
  expect(first.isKnown()).toBe(true)
  const again = openPage(stored)
  expect([again.settings(), again.isKnown()]).toEqual([KM, true])
  await read(again)
  expect(again.shown).toEqual([KM])

  stored.write({ currency: 'EUR' })
  const changed = openPage(stored)
  await expect.poll(() => changed.shown).toEqual([KM, { ...KM, currency: 'EUR' }])
})

test.each(['"km"', '{}', '{"distance":"furlongs"}', ''])('ignores %j in the browser’s storage', (text) => {
  localStorage.setItem('settings', text)
  expect(openPage(database()).settings()).toEqual(DEFAULT_SETTINGS)
})

test('knows that what the owner chose can’t be read', async () => {
  const stored = database()
  stored.fail(true)
  const page = await openAndRead(stored)
  expect([page.settings(), page.chosen(), page.isKnown()]).toEqual([DEFAULT_SETTINGS, 'unknown', true])
})

test('shows a choice at once, and keeps it while it is saved and read again', async () => {
  const stored = database()
  const page = await openAndRead(stored)
  const release = stored.hold()
  const saved = page.save({ distance: 'km' })
  expect([page.settings(), page.chosen()]).toEqual([KM, true])
  release()
  await saved
  expect(stored.row()).toEqual({ ...KM })
  const reads = () => page.sent.filter(({ method }) => method === 'GET').length
  await expect.poll(() => reads()).toBe(2)
  expect(page.shown).toEqual([DEFAULT_SETTINGS, KM])
})

test('keeps a saved choice on the screen if it can’t be read again, and then follows another device', async () => {
  const stored = database()
  const page = await openAndRead(stored)
  const saved = page.save({ distance: 'km' })
  await expect.poll(() => stored.row()).not.toBeNull()
  stored.fail(true)
  await saved
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(page.settings()).toEqual(KM)
  stored.fail(false)
  stored.write({ distance: 'mi', week_start: 'Monday' })
  page.comeBack()
  await expect.poll(() => page.settings()).toEqual({ ...DEFAULT_SETTINGS, week_start: 'Monday' })
})

test('shows the previous setting again if a choice can’t be saved', async () => {
  const stored = database({ currency: 'EUR' })
  const page = await openAndRead(stored)
  stored.fail(true)
  await expect(page.save({ currency: 'CHF' })).rejects.toThrow('Too slow')
  expect(page.settings().currency).toBe('EUR')
  expect(stored.row()?.currency).toBe('EUR')
})

test('saves choices in their order, so the last one stays', async () => {
  const stored = database()
  const page = await openAndRead(stored)
  const release = stored.hold()
  const saves = [page.save({ distance: 'km' }), page.save({ distance: 'mi' }), page.save({ currency: 'EUR' })]
  expect(page.settings()).toEqual({ ...DEFAULT_SETTINGS, currency: 'EUR' })
  release()
  await Promise.all(saves)
  const saved = page.sent.filter(({ path }) => path === GATE).map(({ body }) => (body as Command).arguments)
  expect(saved).toEqual([{ distance: 'km' }, { distance: 'mi' }, { currency: 'EUR' }])
})

test('remembers that the owner kept the defaults', async () => {
  const stored = database()
  const page = await openAndRead(stored)
  await page.save({})
  await openAndRead(stored)
  expect(stored.row()).toEqual({ ...DEFAULT_SETTINGS })
  expect(page.chosen()).toBe(true)
})
