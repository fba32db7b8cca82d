import assert from 'node:assert/strict'
import { recordLog } from '../testing.ts'
import { ChannelError, type Sender } from './channel.ts'
import type { Message } from './message.ts'
import { createNotify, type NotificationStore } from './notify.ts'
import { WAX } from './testing.ts'

const claimOf = (channel: string) => ({
  channel,
  message: `message of ${channel}`,
  announced_at: '2026-11-23T08:00:00+00:00',
  tasks: [WAX],
  limits: [],
  settings: null,
})

type Behavior = 'works' | 'fails' | 'hangs' | 'breaks'

async function notify(behaviors: Partial<Record<string, Behavior>>, over: Partial<NotificationStore> = {}) {
  const { log, lines } = recordLog()
  const received: [string, Message][] = []
  const finished: unknown[][] = []
  const deadline = new AbortController()
  const channels = Object.entries(behaviors).map(([name, behavior]): Sender => ({
    name,
    label: name,
    target: null,
    async send(message, signal) {
      if (behavior === 'fails') throw new ChannelError('401')
      if (behavior === 'breaks') throw new TypeError('x is not a function')
      if (behavior === 'hangs') {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        throw new ChannelError('no answer within 5 seconds')
      }
      received.push([name, message])
      return {}
    },
  }))
  const run = createNotify({
    channels,
    store: {
      claim: (names) => Promise.resolve(names.map(claimOf)),
      async finish(...result) {
        finished.push(result)
        // A slow channel is only given up after the others have finished.
        if (finished.length === channels.length - 1) deadline.abort()
      },
      ...over,
    },
    deadline: () => deadline.signal,
    log,
  })
  await run()
  return { received, finished, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

Deno.test('sends every channel the same text and records that it was sent', async () => {
  const { received, finished, lines } = await notify({ web_push: 'works', webhook: 'works' })
  for (const [name, { id, title, body }] of received) {
    assert.deepEqual(
      [id, title, body],
      [`message of ${name}`, '1 task due', 'Wax (Chain, Warbird): 310.8 of 300.0 mi'],
    )
  }
  assert.deepEqual(finished, [
    ['web_push', null, 'message of web_push'],
    ['webhook', null, 'message of webhook'],
  ])
  assert.deepEqual(lines[0], { source: 'test', event: 'notified', tasks: 1, channel: 'web_push' })
})

Deno.test('a channel that fails or hangs holds up no other', async () => {
  const { received, finished } = await notify({ web_push: 'hangs', ntfy: 'fails', webhook: 'works' })
  assert.deepEqual(
    received.map(([name]) => name),
    ['webhook'],
  )
  assert.deepEqual(
    finished.map(([name, error]) => [name, error]),
    [
      ['ntfy', '401'],
      ['webhook', null],
      ['web_push', 'no answer within 5 seconds'],
    ],
  )
})

Deno.test('an unexpected error is only logged', async () => {
  const { finished, lines } = await notify({ ntfy: 'breaks' })
  assert.deepEqual(finished, [['ntfy', 'an unexpected error', 'message of ntfy']])
  assert.equal(lines[0]?.['detail'], 'x is not a function')
})

const gone = () => Promise.reject(new Error('database gone'))

Deno.test('never rejects, and asks for nothing without channels', async () => {
  const { lines } = await notify({ ntfy: 'works' }, { claim: gone })
  assert.equal(lines[0]?.['event'], 'notification_failed')
  assert.equal(
    (await notify({ ntfy: 'works' }, { finish: gone })).lines.at(-1)?.['event'],
    'notification_failed',
  )
  assert.deepEqual((await notify({}, { claim: gone })).lines, [])
})
