import * as v from 'valibot'
import { type Call, Id, objectInput } from '../_shared/contracts/fields.ts'
import { WRITES } from '../_shared/contracts/run-command.ts'
import { Explanation, ForecastLimit, ForecastTask } from '../_shared/contracts/service-tasks.ts'

export type { Explanation, ForecastLimit, ForecastTask } from '../_shared/contracts/service-tasks.ts'

/** Default: all bikes. */
const ofBike = { gear_id: v.optional(Id) }
const TasksInput = objectInput(ofBike)
/** `explain` is a task's id. */
const ExplainInput = objectInput({ ...ofBike, explain: Id })
/** A task that isn't saved, as `add_task` takes it. */
const PreviewInput = objectInput({ preview: WRITES.add_task.Input })
export const Input = v.union([TasksInput, ExplainInput, PreviewInput])

/** Most urgent first, with snoozed and paused tasks last. */
const due = { tasks: v.array(ForecastTask), limits: v.array(ForecastLimit) }
const TasksAnswer = v.strictObject(due)
const ExplainAnswer = v.strictObject({
  ...due,
  /** Null: the forecast isn't based on earlier rides, or the task is unknown. */
  explanation: v.nullable(Explanation),
})
const PreviewAnswer = v.strictObject({ preview: ForecastTask })
export const Answer = v.union([TasksAnswer, ExplainAnswer, PreviewAnswer])

export type TasksCall = Call<'service-due', typeof TasksInput, typeof TasksAnswer>
export type PreviewCall = Call<'service-due', typeof PreviewInput, typeof PreviewAnswer>
export type ExplainCall = Call<'service-due', typeof ExplainInput, typeof ExplainAnswer>
