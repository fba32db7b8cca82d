import * as v from 'valibot'
import { type Call, Instant, objectInput } from '../_shared/contracts/fields.ts'

/** `test` sends a test through this channel. */
export const Input = v.optional(objectInput({ test: v.optional(v.string()) }), {})

const state = {
  /** When a message was last sent. Null: never. */
  sent_at: v.nullable(Instant),
  /** When a message last failed. Null: never. */
  failed_at: v.nullable(Instant),
  /** Why the last message failed, in a few words such as "401". Null: it was sent. */
  error: v.nullable(v.string()),
}

/** The result of the SQL function `channel_states`. */
export const States = v.record(v.string(), v.strictObject(state))

export const Answer = v.strictObject({
  /** The channels that are set up. After a test, `error` says whether it was sent. */
  channels: v.array(
    v.strictObject({
      channel: v.string(),
      label: v.string(),
      ...state,
      /** Where the channel sends: host and topic, or only the host. Null for Web Push. */
      target: v.nullable(v.string()),
    }),
  ),
  /** Other channels, and the variables that turn them on. */
  off: v.array(v.strictObject({ label: v.string(), variable: v.string() })),
})

export type States = v.InferOutput<typeof States>
export type Channels = v.InferOutput<typeof Answer>
export type ChannelsCall = Call<'channels', typeof Input, typeof Answer>
