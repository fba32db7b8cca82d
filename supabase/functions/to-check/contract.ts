import { type Call, NoInput } from '../_shared/contracts/fields.ts'
import { ToCheck } from '../_shared/contracts/to-check.ts'

export type { Line } from '../_shared/contracts/to-check.ts'

export const Input = NoInput

export const Answer = ToCheck

export type ToCheckCall = Call<'to-check', typeof Input, typeof Answer>
