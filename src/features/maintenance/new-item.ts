import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

import { announceAtom } from '../../components/announcements.tsx'
import { notifyFailure } from '../../components/toasts.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { timestampOf, today } from '../../lib/days.ts'
import { quote } from '../../lib/quote.ts'
import { newUuid } from '../../lib/uuid.ts'
import { failureMessage } from '../../lib/writes.ts'
import { addItem, type Item, type NewItem } from './api.ts'
import { typeAtom } from './cell.ts'
import { draftAtom, placeKey } from './drafts.ts'
import { type Field, FIELDS, type Value } from './fields.ts'
import { judge, judgeNew, type Verdict } from './judge.ts'
import { reloadLogAtom } from './log.ts'
import { parse } from './parse.ts'

const newKey = (bikeId: number, field: Field) => placeKey({ bikeId, record: 'new' }, field)

export type NewCell = { text: string; verdict: Verdict }

type Cell = NewCell & { field: Field }

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

export const typeNewAtom = atom(null, (get, set, bikeId: number, field: Field, text: string) => {
  const draft = draftAtom(newKey(bikeId, field))
  set(draft, text === '' ? null : { ...get(draft), text, base: '' })
})

/** The key that the line is sent with, the same until it is added or its name is emptied. */
const requestKeyAtom = atom(null, (get, set, bikeId: number): string => {
  const name = draftAtom(newKey(bikeId, 'name'))
  const draft = get(name) ?? { text: '', base: '' }
  const requestKey = draft.requestKey ?? newUuid()
  set(name, { ...draft, requestKey })
  return requestKey
})

const insertingBase = atom(false)

/** Whether a new item is on its way. */
export const insertingAtom = atom((get) => get(insertingBase))

export type Outcome = 'inserted' | 'nameless' | 'invalid' | 'busy' | 'failed'

/** Adds the new-row line to the log. Nothing is sent without a name, or with a field that is wrong. */
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
    const item = itemOf(bikeId, set(requestKeyAtom, bikeId), cells)
    const added = await addItem(get(backendAtom).client, item)
    set(announceAtom, `${quote(added.name)} was added.`)
    for (const { field, text } of cells) {
      const draft = get(draftAtom(newKey(bikeId, field)))
      // What was typed while the item was on its way belongs to the next one.
      set(
        draftAtom(newKey(bikeId, field)),
        draft && draft.text !== text ? { text: draft.text, base: '' } : null,
      )
    }
    set(keepChangesAtom, added, cells)
    await set(reloadLogAtom, bikeId, true)
    return 'inserted'
  } catch (cause) {
    notifyFailure(failureMessage('The log entry', 'added', cause))
    return 'failed'
  } finally {
    set(insertingBase, false)
  }
})

/** An earlier attempt may have added the item before more was typed into the line: that becomes drafts of the item. */
const keepChangesAtom = atom(null, (_get, set, added: Item, cells: readonly Cell[]) => {
  const changed = cells.filter(
    ({ field, text }) => text !== '' && judge(field, text, added).status !== 'clean',
  )
  for (const { field, text } of changed) set(typeAtom, added, field, text)
  if (changed.length > 0)
    notifyFailure(`${quote(added.name)} had already been added. Your later changes are not saved yet.`)
})

function itemOf(bikeId: number, request_key: string, cells: readonly Cell[]): NewItem {
  const given = cells.flatMap(({ field, verdict }): [Field, Value][] =>
    verdict.status === 'dirty' ? [[field, verdict.value]] : [],
  )
  const defaults = { dateStarted: timestampOf(today()) }
  return { bikeId, request_key, ...defaults, ...Object.fromEntries(given) } as NewItem
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
