import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

import { announceAtom } from '../../components/announcements.tsx'
import { notifyFailure } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { timestampOf, today } from '../../lib/days.ts'
import { sentenceFor, toAppError } from '../../lib/errors.ts'
import { quote } from '../../lib/quote.ts'
import { insertItem, type NewItem } from './api.ts'
import { draftAtom, placeKey } from './drafts.ts'
import { type Field, FIELDS, type Value } from './fields.ts'
import { judgeNew, type Verdict } from './judge.ts'
import { reloadLogAtom } from './log.ts'
import { parse } from './parse.ts'

const newKey = (bikeId: number, field: Field) => placeKey({ bikeId, record: 'new' }, field)

export type NewCell = { text: string; verdict: Verdict }

/** A field of the new-row line. An end is judged beside the start that the line has or will get. */
export const newCellAtom = atomFamily((key: `${number}/${Field}`) => {
  const [bikeId, field] = partsOf(key)
  return atom((get): NewCell => {
    const text = get(draftAtom(newKey(bikeId, field)))?.text ?? ''
    const start = get(draftAtom(newKey(bikeId, 'dateStarted')))?.text ?? ''
    return { text, verdict: judgeNew(field, text, startOf(start)) }
  })
})

/** Whether anything was typed into the new-row line. */
export const hasNewDraftAtom = atomFamily((bikeId: number) =>
  atom((get) => FIELDS.some((field) => get(draftAtom(newKey(bikeId, field))) !== null)),
)

export const typeNewAtom = atom(null, (_get, set, bikeId: number, field: Field, text: string) => {
  set(draftAtom(newKey(bikeId, field)), text === '' ? null : { text, base: '' })
})

const insertingBase = atom(false)

/** Whether a new item is on its way. */
export const insertingAtom = atom((get) => get(insertingBase))

export type Outcome = 'inserted' | 'nameless' | 'invalid' | 'busy' | 'failed'

/** Inserts the new-row line. Nothing is sent without a name, or with a field that is wrong. */
export const insertAtom = atom(null, async (get, set, bikeId: number): Promise<Outcome> => {
  const cells = FIELDS.map((field) => {
    const { text, verdict } = get(newCellAtom(`${bikeId}/${field}`))
    return { field, text, verdict }
  })
  if (cells.some(({ field, text }) => field === 'name' && text.trim() === '')) return 'nameless'
  if (cells.some(({ verdict }) => verdict.status === 'invalid')) return 'invalid'
  if (get(insertingBase)) return 'busy'

  set(insertingBase, true)
  try {
    const item = itemOf(bikeId, cells)
    await insertItem(get(backendAtom).client, item)
    set(announceAtom, `${quote(item.name)} was added.`)
    for (const { field, text } of cells) {
      // What was typed while the item was on its way belongs to the next one.
      if (get(draftAtom(newKey(bikeId, field)))?.text === text) set(draftAtom(newKey(bikeId, field)), null)
    }
    await set(reloadLogAtom, bikeId, true)
    return 'inserted'
  } catch (cause) {
    notifyFailure(`The new record was not added. ${sentenceFor(toAppError(cause))}`)
    return 'failed'
  } finally {
    set(insertingBase, false)
  }
})

function itemOf(bikeId: number, cells: readonly { field: Field; verdict: Verdict }[]): NewItem {
  const given = cells.flatMap(({ field, verdict }): [Field, Value][] =>
    verdict.status === 'dirty' ? [[field, verdict.value]] : [],
  )
  const defaults = { dateStarted: timestampOf(today()) }
  return { bikeId, ...defaults, ...Object.fromEntries(given) } as NewItem
}

/** The start that the line will have: what is typed, else today. */
function startOf(text: string): string {
  const parsed = parse('dateStarted', text, { dateStarted: '', dateEnded: null })
  return 'value' in parsed && typeof parsed.value === 'string' ? parsed.value : timestampOf(today())
}

function partsOf(key: `${number}/${Field}`): [number, Field] {
  const [bikeId = '', field = 'name'] = key.split('/')
  return [Number(bikeId), field as Field]
}
