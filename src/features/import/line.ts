import { dayOf } from '../../lib/days.ts'
import type { Bike } from '../bikes'
import { type Field, FIELDS, type Item, LABELS, textOf, type Values } from '../maintenance'
import type { Cells } from './columns.ts'
import { plain, readField, saysStored } from './field.ts'

/** The log that a file is held against. */
export type Log = { items: ReadonlyMap<number, Item>; bikes: readonly Bike[] }

export type Change = { field: Field; from: string; to: string }

/** What a line stands for. */
export type Reading =
  | { kind: 'refused'; reasons: string[] }
  | { kind: 'known'; item: Item; after: Item; changes: Change[] }
  /** `unknownId` is one that is not in the log: the record gets another. */
  | { kind: 'new'; bike: Bike; values: Values; unknownId: string | null }

export function readLine(cells: Cells, log: Log): Reading {
  const id = cells.id?.trim() ?? ''
  // A spreadsheet may write a number with decimals.
  const item = /^\d+(\.0*)?$/.test(id) ? log.items.get(Number(id)) : undefined
  if (item) return readKnown(cells, item, log)
  if (id !== '' && !/^\d+(\.0*)?$/.test(id)) return refused([`ID: “${id}” is no number.`])
  return readNew(cells, log, id === '' ? null : id)
}

function readKnown(cells: Cells, item: Item, log: Log): Reading {
  const reasons = isElsewhere(cells, item, log) ? ['Bike: a record never moves to another bike.'] : []
  const { values, wrong } = readFields(cells, item)
  if (reasons.length + wrong.length > 0) return refused([...reasons, ...wrong])
  const after = { ...item, ...values }
  const changes = FIELDS.filter((field) => after[field] !== item[field]).map((field) => ({
    field,
    from: textOf(field, item),
    to: textOf(field, after),
  }))
  return { kind: 'known', item, after, changes }
}

const BLANK: Values = {
  type: null,
  name: '',
  description: null,
  cost: 0,
  dateStarted: '',
  dateEnded: null,
}

function readNew(cells: Cells, log: Log, unknownId: string | null): Reading {
  const bike = bikeOf(cells, log)
  // What is left empty gets its default; a name and a start have none.
  const given = Object.entries(cells).filter(([, cell]) => cell.trim() !== '')
  const { values, wrong } = readFields({ name: '', dateStarted: '', ...Object.fromEntries(given) }, BLANK)
  if (typeof bike === 'string') return refused([bike, ...wrong])
  return wrong.length > 0 ? refused(wrong) : { kind: 'new', bike, values, unknownId }
}

/** The values of a line's cells, a cell that says what is stored leaving it alone; and what is wrong with others. */
function readFields(cells: Cells, stored: Values): { values: Values; wrong: string[] } {
  const wrong: string[] = []
  const read = FIELDS.map((field) => {
    const cell = cells[field]
    const isStored = cell === undefined || (stored !== BLANK && saysStored(field, cell, stored[field]))
    const parsed = isStored ? { value: stored[field] } : readField(field, cell)
    if ('reason' in parsed) wrong.push(`${LABELS[field]}: ${parsed.reason}`)
    return [field, 'value' in parsed ? parsed.value : null]
  })
  const values = Object.fromEntries(read) as Values
  if (wrong.length === 0 && endsBeforeStart(values)) wrong.push('End: Enter a date on or after the start.')
  return { values, wrong }
}

/** Timestamps are compared as text, once both are written alike. */
function endsBeforeStart({ dateStarted, dateEnded }: Values): boolean {
  return dateEnded !== null && dateEnded.replace('T', ' ') < dateStarted.replace('T', ' ')
}

/** Whether a line asks for its record to be of another bike. */
function isElsewhere({ bikeId, bike }: Cells, item: Item, { bikes }: Log): boolean {
  const hasOther = bikeId !== undefined && bikeId.trim() !== '' && Number(bikeId) !== item.bikeId
  return hasOther || namesAnother(bike, item.bikeId, bikes)
}

/** Whether a cell names another bike. A name that no bike has is that of before a bike was renamed. */
function namesAnother(cell: string | undefined, gearId: number, bikes: readonly Bike[]): boolean {
  const named = bikes.filter(({ name }) => name.trim() === cell?.trim())
  return named.length > 0 && !named.some(({ gear_id }) => gear_id === gearId)
}

/** The bike of a new record; a sentence where the line does not tell. */
function bikeOf({ bikeId = '', bike = '' }: Cells, { bikes }: Log): Bike | string {
  const found = bikes.filter(({ gear_id, name }) =>
    bikeId.trim() === '' ? name.trim() === bike.trim() : gear_id === Number(bikeId),
  )
  if (found.length > 1) return `Bike: more than one is called “${bike.trim()}”; give the Bike ID.`
  if (found[0] && namesAnother(bike, found[0].gear_id, bikes))
    return `Bike: “${bike.trim()}” has another Bike ID.`
  if (found[0]) return found[0]
  const named = bikeId.trim() || bike.trim()
  return named === '' ? 'Bike: say which.' : `Bike: there is no “${named}”.`
}

/** The same for two records that are equal in all that the log shows of them. */
export function contentKey(bikeId: number, values: Values): string {
  const { type, name, description, cost, dateStarted, dateEnded } = values
  const days = [dayOf(dateStarted), dateEnded && dayOf(dateEnded)]
  return JSON.stringify([bikeId, type, plain(name), plain(description ?? ''), cost, ...days])
}

function refused(reasons: string[]): Reading {
  return { kind: 'refused', reasons }
}
