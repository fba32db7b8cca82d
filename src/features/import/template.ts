import { atom } from 'jotai'

import { todayAtom } from '../../lib/clock.ts'
import { toCsv } from '../../lib/csv.ts'
import { formatsAtom } from '../../lib/formats.ts'
import { saveFile } from '../../lib/save-file.ts'
import { bikesAtom } from '../bikes/atoms.ts'
import { costHeader, CSV_FIELDS, KEY_HEADERS } from '../log/data/csv.ts'

/** Saves a CSV file with the columns that an import reads, and an example in the owner's formats. */
export const saveTemplateAtom = atom(null, (get) => {
  const { day, settings } = get(formatsAtom)
  const bikes = get(bikesAtom)
  const bike = (bikes.state === 'ready' && bikes.data[0]?.name) || 'Bike'
  const example: Record<string, string> = {
    [KEY_HEADERS.bike]: bike,
    [CSV_FIELDS.type.label]: 'Drivetrain',
    [CSV_FIELDS.name.label]: 'Chain (example)',
    [CSV_FIELDS.description.label]: '',
    [costHeader(settings.currency)]: '45',
    [CSV_FIELDS.dateStarted.label]: day(get(todayAtom)),
    [CSV_FIELDS.dateEnded.label]: '',
    [CSV_FIELDS.ended_as.label]: '',
  }
  saveFile('maintenance-template.csv', toCsv(Object.keys(example), [Object.values(example)]), 'text/csv')
})
