// The result of the SQL function `claim_notifications`.
import * as v from 'valibot'
import { settingsSchema } from '../formats/settings.ts'
import { Task, WearLimit } from './service-tasks.ts'

const task = {
  id: v.number(),
  name: v.string(),
  state: v.picklist(['due', 'overdue']),
  gear_id: v.number(),
  bike: v.nullable(v.string()),
  /** Null for a bike's task. */
  part_id: v.nullable(v.number()),
  /** Null for a bike's task. */
  item_name: v.nullable(v.string()),
  ...v.pick(Task, ['item_type', 'axis', 'used', 'every', 'fraction', 'due_on', 'group']).entries,
}

const DueTask = v.strictObject({
  ...task,
  /** The other due tasks of its group, which are announced with it. */
  others: v.array(v.strictObject(task)),
})

const DueLimit = v.strictObject({ ...WearLimit.entries, bike: v.string() })

export const Claimed = v.array(
  v.strictObject({
    channel: v.string(),
    message: v.string(),
    announced_at: v.string(),
    /** The tasks that became due. Null: Ride with GPS refused the sign-in. */
    tasks: v.nullable(v.array(DueTask)),
    /** The wear limits of parts that are reached. */
    limits: v.array(DueLimit),
    /** Null: the defaults. */
    settings: v.nullable(settingsSchema),
  }),
)

export type DueTask = v.InferOutput<typeof DueTask>
export type DueLimit = v.InferOutput<typeof DueLimit>
export type Claimed = v.InferOutput<typeof Claimed>
