import { atom } from 'jotai'

import { todayAtom } from '../../lib/clock.ts'
import { toCsv } from '../../lib/csv.ts'
import { formatsAtom } from '../../lib/formats.ts'
import { saveFile } from '../../lib/save-file.ts'
import { bikesAtom } from '../bikes/atoms.ts'
import { costHeader, CSV_FIELDS, type CsvField, KEY_HEADERS } from '../entries/csv.ts'
import { FIELD_NAMES } from '../entries/fields.ts'

/** Saves a CSV file with the columns that an import reads, and an example in the owner's formats. */
export const saveTemplateAtom = atom(null, (get) => {
  const { day, settings } = get(formatsAtom)
  const bikes = get(bikesAtom)
  const bike = (bikes.state === 'ready' && bikes.data[0]?.name) || 'Bike'
  const values: Partial<Record<CsvField, string>> = {
    type: 'Drivetrain',
    name: 'Chain (example)',
    cost: '45',
    dateStarted: day(get(todayAtom)),
  }
  const columns = [...FIELD_NAMES, 'ended_as'] as const
  const headers = columns.map((field) =>
    field === 'cost' ? costHeader(settings.currency) : CSV_FIELDS[field].label,
  )
  const lines = [[bike, ...columns.map((field) => values[field] ?? '')]]
  saveFile('maintenance-template.csv', toCsv([KEY_HEADERS.bike, ...headers], lines), 'text/csv')
})
