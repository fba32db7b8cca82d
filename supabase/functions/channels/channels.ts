import { nullable } from 'valibot'
import { CHANNELS } from '../_shared/channels/list.ts'
import { deliver, type Dependencies } from '../_shared/channels/notify.ts'
import { testMessage } from '../_shared/channels/message.ts'
import type { Respond } from '../_shared/http/endpoint.ts'
import { CodedError } from '../_shared/http/errors.ts'
import * as contract from './contract.ts'

const NEVER = { sent_at: null, failed_at: null, error: null }

/** Lists the channels that are set up with their states. With `test`, sends a test first. */
export function createRespond(dependencies: Dependencies): Respond<typeof contract> {
  const { channels } = dependencies
  const listOf = (states: contract.States): contract.Channels => ({
    channels: channels.map(({ name, label, target }) => ({
      channel: name,
      label,
      target,
      ...(states[name] ?? NEVER),
    })),
    off: CHANNELS.flatMap(({ name, label, switch: variable }) =>
      variable === null || channels.some((one) => one.name === name) ? [] : [{ label, variable }],
    ),
  })
  return async ({ test }, query) => {
    // Only the owner gets states, so nobody else can send a test.
    const states = await query('channel_states', nullable(contract.States))
    if (states === null || test === undefined) return states && listOf(states)
    const channel = channels.find(({ name }) => name === test)
    if (!channel) throw new CodedError('unknown_channel')
    await deliver(dependencies, channel, testMessage())
    const after = await query('channel_states', nullable(contract.States))
    return after && listOf(after)
  }
}
