import * as v from 'valibot'
import { type Call, LogDay, objectInput } from '../_shared/contracts/fields.ts'
import { Spending } from '../_shared/contracts/spending.ts'

export type { Spending } from '../_shared/contracts/spending.ts'

export const Input = v.optional(
  objectInput({
    /** The period. Default: all days, and rides without a date. */
    from: v.optional(LogDay),
    to: v.optional(LogDay),
  }),
  {},
)

export const Answer = Spending

export type SpendingCall = Call<'spending', typeof Input, typeof Answer>
