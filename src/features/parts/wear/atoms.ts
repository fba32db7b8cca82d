import { atom, type Getter, type Setter } from 'jotai'

import { backendAtom } from '../../../lib/backend.ts'
import { touchAtom } from '../../../lib/touch.ts'
import { editRow } from '../../../lib/writes.ts'
import { attempt, undoable } from '../../trash/mutate.ts'
import { addMeasurement, type Measurement, type MeasurementValues } from './api.ts'

/** Adds a measurement and offers Undo. Rejects if the write fails. */
export const addMeasurementAtom = atom(
  null,
  (get, set, partId: number, values: MeasurementValues, key: string) =>
    write(get, set, partId, 'added', addMeasurement(get(backendAtom).client, partId, values, key)),
)

/** Saves the wanted values of a measurement that was shown, and offers Undo. Rejects if the write fails. */
export const changeMeasurementAtom = atom(
  null,
  (
    get,
    set,
    partId: number,
    id: number,
    shown: Partial<MeasurementValues>,
    wanted: Partial<MeasurementValues>,
  ) => {
    const { client } = get(backendAtom)
    return write(get, set, partId, 'saved', editRow(client, 'wear_measurements', id, shown, wanted))
  },
)

export const removeMeasurementAtom = atom(null, (get, set, { id }: Measurement) =>
  attempt(get, set, 'remove_measurement', { id }, { subject: 'The measurement', done: 'removed' }),
)

function write(
  get: Getter,
  set: Setter,
  part: number,
  done: string,
  change: Promise<string | null>,
): Promise<void> {
  const after = () => set(touchAtom, [{ of: 'measurements', part }])
  return undoable(get, set, `The measurement was ${done}.`, { change, of: 'the measurement', after })
}
