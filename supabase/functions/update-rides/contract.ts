import * as v from 'valibot'
import { type Call, type NoInput, objectInput } from '../_shared/contracts/fields.ts'
import { type Synced, UpdatedRides } from '../_shared/contracts/update-rides.ts'

/** `check` compares the newest rides, and syncs only if they changed or a full sync is due. */
export const Input = v.optional(objectInput({ check: v.optional(v.boolean()) }), {})

export const Answer = UpdatedRides

/** The app always requests a full sync. */
export type UpdateRidesCall = Call<'update-rides', typeof NoInput, typeof Synced>
