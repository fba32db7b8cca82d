import { atom } from 'jotai'

import { attempt, mutate } from '../../../journal/mutate.ts'
import type { Measurement, MeasurementValues } from './api.ts'

const SUBJECT = 'The measurement'

/** Adds a measurement, marks the checks done that it was part of, and offers Undo. Rejects if the write fails. */
export const addMeasurementAtom = atom(
  null,
  (get, set, part_id: number, measurement: MeasurementValues, also_done: readonly number[], key: string) => {
    const input = { part_id, measurement, ...(also_done.length > 0 && { also_done: [...also_done] }) }
    return mutate(get, set, 'add_measurement', input, { subject: SUBJECT, done: 'added' }, key)
  },
)

type MeasurementChange = { shown: Partial<MeasurementValues>; wanted: Partial<MeasurementValues> }

/** Saves the wanted values of a measurement that was shown, and offers Undo. Rejects if the write fails. */
export const changeMeasurementAtom = atom(
  null,
  (get, set, row_id: number, change: MeasurementChange, key: string) => {
    const edit = { relation: 'wear_measurements', row_id, ...change } as const
    return mutate(get, set, 'edit_row', edit, { subject: SUBJECT, done: 'saved' }, key)
  },
)

export const removeMeasurementAtom = atom(null, (get, set, { id }: Measurement) =>
  attempt(get, set, 'remove_measurement', { id }, { subject: SUBJECT, done: 'removed' }),
)
