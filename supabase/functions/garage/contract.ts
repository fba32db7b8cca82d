import * as v from 'valibot'
import { type Call, NoInput, rates } from '../_shared/contracts/fields.ts'
import { bikeSums, Totals } from '../_shared/contracts/garage.ts'

export const Input = NoInput

export const Answer = v.strictObject({
  ...Totals.entries,
  total: v.strictObject({ ...bikeSums, ...rates }),
})

export type Garage = v.InferOutput<typeof Answer>
export type GarageCall = Call<'garage', typeof Input, typeof Answer>
