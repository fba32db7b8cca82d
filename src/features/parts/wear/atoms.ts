import { atom, type Setter } from 'jotai'

import { notifyFailure } from '../../../components/toasts.tsx'
import { notifyWithUndo, undoOf } from '../../../components/undo.ts'
import { backendAtom } from '../../../lib/backend.ts'
import { KEYS } from '../../../lib/resource-keys.ts'
import { staleAtom } from '../../../lib/stale.ts'
import { failureMessage, type Request } from '../../../lib/writes.ts'
import {
  addMeasurement,
  changeMeasurement,
  type Measurement,
  type MeasurementValues,
  removeMeasurement,
  restoreMeasurement,
  valuesOf,
} from './api.ts'

/** Adds a measurement and offers Undo. Rejects if the write fails. */
export const addMeasurementAtom = atom(
  null,
  async (get, set, part_id: number, values: MeasurementValues, request: Request) => {
    const { client } = get(backendAtom)
    let id: number
    try {
      id = await addMeasurement(client, part_id, values, request)
    } catch (cause) {
      // An earlier attempt may have saved different values.
      set(staleAtom, [KEYS.part(part_id)])
      throw cause
    }
    offerUndo(set, part_id, 'added', () => removeMeasurement(client, id))
    set(staleAtom, [KEYS.part(part_id)])
  },
)

/** Changes a measurement and offers Undo. Rejects if the write fails. */
export const changeMeasurementAtom = atom(
  null,
  async (get, set, part_id: number, measurement: Measurement, values: MeasurementValues) => {
    const { client } = get(backendAtom)
    await changeMeasurement(client, measurement.id, values)
    offerUndo(set, part_id, 'changed', () => changeMeasurement(client, measurement.id, valuesOf(measurement)))
    set(staleAtom, [KEYS.part(part_id)])
  },
)

export const removeMeasurementAtom = atom(
  null,
  async (get, set, part_id: number, measurement: Measurement) => {
    const { client } = get(backendAtom)
    try {
      const removed = await removeMeasurement(client, measurement.id)
      if (removed) offerUndo(set, part_id, 'removed', () => restoreMeasurement(client, removed))
    } catch (cause) {
      notifyFailure(failureMessage(SUBJECT, 'removed', cause))
    }
    set(staleAtom, [KEYS.part(part_id)])
  },
)

const SUBJECT = 'The measurement'

function offerUndo(set: Setter, partId: number, done: string, write: () => Promise<unknown>): void {
  const undo = undoOf('the measurement', write, () => set(staleAtom, [KEYS.part(partId)]))
  notifyWithUndo(set, `${SUBJECT} was ${done}.`, undo)
}
