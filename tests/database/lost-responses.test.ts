// Saves every client form over a connection that randomly loses requests and responses, while the owner edits the form
// between attempts. The form must always show what is stored.
//
// oxlint-disable no-restricted-imports -- losing hundreds of responses in a browser takes too long
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { recordToasts } from '../../src/components/record-toasts.ts'
import { deleteItemAtom } from '../../src/features/log/actions/DeleteItem.tsx'
import type { Item } from '../../src/features/entries/fields.ts'
import { removeEventAtom, removeTaskAtom } from '../../src/features/service/edits.ts'
import { removeMeasurementAtom } from '../../src/features/log/details/wear/atoms.ts'
import { openDataApi, type DataApi } from './data-api.ts'
import { type Form, FORMS, type Outcome } from './forms.ts'
import { BIKE, type Fate, fates, openLossyPage, type Page } from './lossy-page.ts'
import { cases } from '../cases.ts'

const toasts = recordToasts()
let api: DataApi
beforeAll(async () => {
  // Reloading a resource dispatches an event on `window`, and a replacement closes the item that the address opens.
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location: new URL('http://127.0.0.1') }))
  api = await openDataApi()
})
afterAll(() => api.close())

async function openPage(plan: readonly Fate[]) {
  for (const list of Object.values(toasts)) list.length = 0
  return openLossyPage(api, plan)
}

interface Attempt {
  values: object
  outcome: Outcome
  before: object | null
  stored: object | null
}

/** Saves one version after another until the form reports success. After the last version, the connection works again. */
async function fillIn(
  form: Form<object>,
  versions: readonly object[],
  plan: readonly Fate[],
  ends: readonly Outcome[],
) {
  const page = await openPage(plan)
  const save = form.open(page, toasts)
  const attempts: Attempt[] = []
  while (!ends.includes(attempts.at(-1)?.outcome ?? 'unclear') && attempts.length < versions.length + 2) {
    if (attempts.length >= versions.length) page.reconnect()
    const values = versions[Math.min(attempts.length, versions.length - 1)]!
    const before = await form.stored(page)
    const outcome = await save(values)
    attempts.push({ values, outcome, before, stored: await form.stored(page) })
  }
  return { attempts, isSaved: ends.includes(attempts.at(-1)!.outcome) }
}

/** Returns the states that may be stored after an attempt. An attempt that replaces an earlier version undoes that first. */
function allowed({ values, outcome, before }: Attempt, previous: readonly Attempt[]) {
  const sent = previous.map(({ values }) => values)
  const undone = previous.some(({ outcome }) => outcome === 'earlier version') ? [null] : []
  const isOther = (other: object) => JSON.stringify(other) !== JSON.stringify(values)
  return {
    saved: [values],
    'earlier version': sent.filter(isOther),
    'not saved': [before, ...undone],
    unclear: [before, values, ...undone],
  }[outcome]
}

test.each(FORMS)('saves %s once, as the form shows, whatever the connection loses', async (name, form) => {
  const versions = fc.array(form.values, { minLength: 1, maxLength: 4 })
  const outcomes = new Set<Outcome>()
  // If an earlier version was saved, the new row is emptied, and the differences become drafts of the saved item.
  const ends: Outcome[] = name === 'a new row' ? ['saved', 'earlier version'] : ['saved']
  await fc.assert(
    fc.asyncProperty(versions, fates, async (versions, plan) => {
      const { attempts, isSaved } = await fillIn(form, versions, plan, ends)
      expect(isSaved).toBe(true)
      for (const [index, attempt] of attempts.entries()) {
        expect(allowed(attempt, attempts.slice(0, index))).toContainEqual(attempt.stored)
        outcomes.add(attempt.outcome)
      }
    }),
    { numRuns: cases(12) },
  )
  expect([...outcomes]).toEqual(expect.arrayContaining(['saved', 'unclear', 'earlier version']))
})

const everything = ({ rowsOf }: Page) =>
  rowsOf(`
    select jsonb_agg(to_jsonb(item) order by id) from public.maintenance as item union all
    select jsonb_agg(to_jsonb(task) order by id) from public.service_tasks as task union all
    select jsonb_agg(to_jsonb(event) order by id) from public.service_events as event union all
    select jsonb_agg(to_jsonb(measured) order by id) from public.wear_measurements as measured`)

// The page shows a different name from the stored one.
const name = 'As seen'
const removals: [string, (page: Page) => Promise<unknown>][] = [
  ['a log entry', ({ store }) => store.set(deleteItemAtom, { id: 1002, bikeId: BIKE, name } as Item)],
  ['a service task', ({ store }) => store.set(removeTaskAtom, { id: 1001, name })],
  ['a service event', ({ store }) => store.set(removeEventAtom, { id: 1001, name })],
  ['a measurement', ({ store }) => store.set(removeMeasurementAtom, { id: 1001 } as never)],
]

test.each(removals)(
  'Undo restores %s as it was stored, whatever the connection loses',
  async (_what, remove) => {
    await fc.assert(
      fc.asyncProperty(fates, async (plan) => {
        const page = await openPage(plan)
        const before = await everything(page)
        await remove(page)
        page.reconnect()
        if (toasts.offers[0]?.label === 'Try again') {
          toasts.offers.shift()!.run()
          await vi.waitUntil(() => toasts.offers.length > 0, 60_000)
        }
        const undo = toasts.offers[0]
        // If the removal failed or may have failed, the page shows an error instead.
        if (!undo) return toasts.failures.length === 1
        expect(undo.label).toBe('Undo')
        expect(await everything(page)).not.toEqual(before)
        undo.run()
        await expect.poll(() => everything(page)).toEqual(before)
        return true
      }),
      { numRuns: 5, examples: [[['lost after']], [['lost before']], [['lost after', 'lost after']]] },
    )
  },
)
