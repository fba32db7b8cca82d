import assert from 'node:assert/strict'
import { recordLog } from '../testing.ts'
import { testMessage } from './message.ts'
import { decryptPush, newBrowser, newVapid } from './testing.ts'
import { createWebPush } from './web-push.ts'

const FAR = 'https://fcm.googleapis.com/fcm/send/secret-token'

type Reply = number | 'hangs' | 'unreachable'

async function push(replies: Reply[]) {
  const browsers = replies.map((_, index) => newBrowser(`${FAR}-${index}`))
  const { log, lines } = recordLog()
  const received: string[] = []
  const removed: string[] = []
  const deadline = new AbortController()
  // The deadline aborts after every push service has received its request and the responsive ones have replied.
  let waiting = replies.length
  const channel = createWebPush({
    vapid: newVapid(),
    subscriptions: {
      list: () => Promise.resolve(browsers.map(({ subscription }) => subscription)),
      remove: (endpoint) => Promise.resolve(void removed.push(endpoint)),
    },
    async send(url, { body, signal, redirect }) {
      assert.equal(redirect, 'manual')
      const index = browsers.findIndex(({ subscription }) => subscription.endpoint === url)
      const [browser, reply] = [browsers.at(index), replies.at(index)]
      assert.ok(browser && signal)
      if (--waiting === 0 && replies.includes('hangs')) setTimeout(() => deadline.abort())
      if (reply === 'hangs') await new Promise((_, reject) => signal.addEventListener('abort', reject))
      if (reply === 'unreachable') throw new TypeError('fetch failed')
      received.push(decryptPush(browser, body as Uint8Array))
      return new Response('', { status: Number(reply) })
    },
    log,
  })
  const outcome = await channel.send(testMessage(), deadline.signal).catch((error: Error) => error.message)
  assert.ok(!lines.join('').includes('secret-token'))
  return { outcome, received, removed, lines: lines.join('\n') }
}

Deno.test('sends every browser the title and the body', async () => {
  const { outcome, received } = await push([201, 201])
  const { title, body } = testMessage()
  assert.deepEqual(received, Array(2).fill(JSON.stringify({ title, body })))
  assert.deepEqual(outcome, { sent: 2, gone: 0, failed: 0 })
})

Deno.test('removes browsers that are gone and only logs other failures', async () => {
  const { outcome, removed, lines } = await push([404, 500, 'unreachable', 410, 'hangs', 201, 302])
  assert.deepEqual(removed.toSorted(), [`${FAR}-0`, `${FAR}-3`])
  assert.deepEqual(outcome, { sent: 1, gone: 2, failed: 4 })
  assert.match(lines, /"event":"push_refused","service":"fcm.googleapis.com","status":500/)
})

Deno.test('fails if no browser could be notified', async () => {
  assert.equal((await push([500, 'unreachable', 410])).outcome, 'push services could not be reached')
  assert.equal((await push([])).outcome, 'notifications are off in all browsers')
})

Deno.test('succeeds if all browsers are gone', async () => {
  assert.deepEqual((await push([410])).outcome, { sent: 0, gone: 1, failed: 0 })
})
