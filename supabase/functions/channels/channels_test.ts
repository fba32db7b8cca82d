import assert from 'node:assert/strict'
import { ChannelError, type Sender } from '../_shared/channels/channel.ts'
import type { Message } from '../_shared/channels/message.ts'
import { callFunction, recordLog, type SqlAnswers } from '../_shared/testing.ts'
import { createRespond } from './channels.ts'
import * as contract from './contract.ts'

const AT = '2026-11-23T08:00:00+00:00'

async function ask(input: unknown, { isOwner = true, fails = false } = {}) {
  const sent: Message[] = []
  let states: contract.States = {}
  const ntfy: Sender = {
    name: 'ntfy',
    label: 'ntfy',
    target: 'ntfy.example.com/bikes',
    async send(message) {
      if (fails) throw new ChannelError('401')
      sent.push(message)
      return {}
    },
  }
  const respond = createRespond({
    channels: [ntfy],
    store: {
      claim: () => Promise.reject(new Error('A test claims nothing.')),
      async finish(channel, error, message) {
        assert.equal(message, undefined)
        states = { [channel]: { error, sent_at: error ? null : AT, failed_at: error ? AT : null } }
      },
    },
    log: recordLog().log,
  })
  const answers: SqlAnswers = { channel_states: () => (isOwner ? states : null) }
  const answer = await callFunction(contract, respond, input, answers)
  return { answer, sent }
}

Deno.test('lists the channels that are set up', async () => {
  const { answer, sent } = await ask({})
  const never = { sent_at: null, failed_at: null, error: null }
  assert.deepEqual(answer, {
    channels: [{ channel: 'ntfy', label: 'ntfy', target: 'ntfy.example.com/bikes', ...never }],
    off: [{ label: 'Webhook', variable: 'WEBHOOK_URL' }],
  })
  assert.deepEqual(sent, [])
})

Deno.test('sends a test and answers with the result', async () => {
  const { answer, sent } = await ask({ test: 'ntfy' })
  assert.deepEqual(
    sent.map(({ type, tasks }) => [type, tasks]),
    [['test', []]],
  )
  assert.deepEqual([answer?.channels[0]?.sent_at, answer?.channels[0]?.error], [AT, null])
  const { channels } = (await ask({ test: 'ntfy' }, { fails: true })).answer!
  assert.deepEqual([channels[0]?.failed_at, channels[0]?.error], [AT, '401'])
})

Deno.test('sends a test for nobody but the owner', async () => {
  const { answer, sent } = await ask({ test: 'ntfy' }, { isOwner: false })
  assert.deepEqual([answer, sent], [null, []])
})

Deno.test('refuses a channel that is not set up', async () => {
  await assert.rejects(ask({ test: 'webhook' }), { code: 'unknown_channel' })
})
