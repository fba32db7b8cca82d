// @vitest-environment jsdom
import type { Atom } from 'jotai'
import { expect, test } from 'vitest'

import { bikesAtom } from '../features/bikes/atoms.ts'
import { checksAtom } from '../features/checks/atoms.ts'
import { storedFilesAtom } from '../features/files/atoms.ts'
import { passportFilesAtom } from '../features/files/passport.ts'
import { garageAtom } from '../features/garage/atoms.ts'
import { allItemsAtom, logAtom } from '../features/entries/log.ts'
import { partDetailsAtom, usageAtom, usageOnDayAtom } from '../features/entries/usage.ts'
import { allLifetimesAtom, choiceAtom, lifetimesAtom } from '../features/lifetimes/atoms.ts'
import { bikeDetailsAtom } from '../features/log/sale/atoms.ts'
import { timelineAtom } from '../features/log/timeline/atoms.ts'
import { storedPartsAtom } from '../features/log/actions/atoms.ts'
import { shownRidesAtom } from '../features/rides/atoms.ts'
import { explanationAtom, historyAtom, dueAtom } from '../features/service/atoms.ts'
import { spendingAtom } from '../features/spending/atoms.ts'
import { syncsAtom } from '../features/sync/atoms.ts'
import { changesAtomOf } from '../features/sync/changes/api.ts'
import { doubtedRidesAtom } from '../features/rides/doubted.ts'
import { trashAtom } from '../features/journal/atoms.ts'
import { fakeStore } from '../lib/fake-backend.ts'
import type { Input } from '../lib/inputs.ts'
import { touchHereAtom } from '../lib/resource.ts'
import { settingsAtom } from '../lib/settings.ts'

const bike = 7

/** Inputs that writes touch on bike 7 and part 3, and elsewhere. */
const TOUCHED = {
  rides: 'rides',
  bikes: 'bikes',
  description: { of: 'log', bike, columns: ['description'] },
  name: { of: 'log', bike, columns: ['name'] },
  type: { of: 'log', bike, columns: ['type'] },
  cost: { of: 'log', bike, columns: ['cost'] },
  start: { of: 'log', bike, columns: ['dateStarted'] },
  end: { of: 'log', bike, columns: ['dateEnded'] },
  files: { of: 'log', bike, columns: ['files'] },
  'service cost': { of: 'log', bike, columns: ['cost', 'service'] },
  tasks: { of: 'tasks', bike },
  measurements: { of: 'measurements', part: 3 },
  dismissals: 'dismissals',
  syncs: 'syncs',
  settings: 'settings',
  'other log': { of: 'log', bike: 8 },
  'other tasks': { of: 'tasks', bike: 8 },
  'other measurements': { of: 'measurements', part: 4 },
} satisfies Record<string, Input>

const LOG = 'description name type cost start end files service cost'
const PARTS = 'name type start end'
const PARTS_AND_COSTS = 'name type cost start end service cost'

test.each<[string, Atom<unknown>, string]>([
  ['settings', settingsAtom, 'settings'],
  ['bikes', bikesAtom, 'rides bikes'],
  ['details of a bike', bikeDetailsAtom(bike), 'rides bikes'],
  ['syncs', syncsAtom, 'syncs'],
  ['what changed', changesAtomOf(), `rides ${PARTS} other log`],
  ['rides', shownRidesAtom, 'rides bikes'],
  ['doubted rides', doubtedRidesAtom, 'rides bikes dismissals'],
  ['usage', usageAtom(bike), 'rides start end service cost dismissals'],
  ['usage on a day', usageOnDayAtom(bike, '2026-05-01'), 'rides start end service cost dismissals'],
  ['log', logAtom(bike), LOG],
  ['all logs', allItemsAtom, `${LOG} other log`],
  [
    'details',
    partDetailsAtom({ bikeId: bike, part_id: 3 }),
    `rides ${PARTS_AND_COSTS} measurements other log`,
  ],
  ['files', storedFilesAtom(3), 'files other log'],
  ['files in the passport', passportFilesAtom, 'files other log'],
  ['timeline', timelineAtom(bike), 'rides start end tasks dismissals'],
  [
    'due',
    dueAtom,
    `rides bikes ${PARTS} tasks measurements dismissals other log other tasks other measurements`,
  ],
  ['forecast', explanationAtom({ id: 1, gear_id: bike }), `rides ${PARTS} tasks other log other tasks`],
  [
    'service history',
    historyAtom({ part_id: 3 }),
    'rides cost start end service cost tasks other log other tasks',
  ],
  ['stored parts', storedPartsAtom, `rides ${PARTS_AND_COSTS} other log`],
  ['lifetimes', allLifetimesAtom, `rides ${PARTS_AND_COSTS} other log`],
  ['chosen lifetimes', lifetimesAtom, `rides ${PARTS_AND_COSTS} other log`],
  ['spending', spendingAtom, `rides bikes ${PARTS_AND_COSTS} other log`],
  ['garage', garageAtom, `rides bikes ${PARTS_AND_COSTS} other log`],
  ['to check', checksAtom, `rides bikes ${PARTS} dismissals other log`],
  [
    'trash',
    trashAtom,
    `bikes ${LOG} tasks measurements dismissals settings other log other tasks other measurements`,
  ],
])('%s are read again after a write to what they show, and only then', async (_, resource, expected) => {
  const { store, sent } = fakeStore(() => Response.json([]))
  store.set(choiceAtom, { type: '', bike: String(bike), from: '', to: '' })
  const stop = store.sub(resource, () => undefined)
  const requests = async () => {
    await new Promise((resolve) => setTimeout(resolve))
    return sent.splice(0).length
  }
  expect(await requests()).toBeGreaterThan(0)
  const again: string[] = []
  for (const [name, input] of Object.entries(TOUCHED)) {
    store.set(touchHereAtom, [input])
    if ((await requests()) > 0) again.push(name)
  }
  expect(again.join(' ')).toBe(expected)
  stop()
})
