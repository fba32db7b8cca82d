import assert from 'node:assert/strict'
import { recordLog } from '../../_shared/testing.ts'
import { createNotify, digestOf, type DueTask, type NotificationStore } from './notify.ts'
import { decryptPush, newBrowser, newVapid } from './testing.ts'

const wax: DueTask = { name: 'Wax', item_name: 'Chain', bike: 'Warbird' }
const FAR = 'https://fcm.googleapis.com/fcm/send/secret-token'

type Reply = number | 'hangs' | 'unreachable'

async function notify(replies: Reply[], over: Partial<NotificationStore> = {}) {
  const browsers = replies.map((_, index) => newBrowser(`${FAR}-${index}`))
  const { log, lines } = recordLog()
  const received: string[] = []
  const removed: string[] = []
  const deadline = new AbortController()
  // The deadline aborts after every push service has received its request and the responsive ones have replied.
  let waiting = replies.length
  const run = createNotify({
    store: {
      claim: () =>
        Promise.resolve({ tasks: [wax], subscriptions: browsers.map(({ subscription }) => subscription) }),
      remove: (endpoint) => Promise.resolve(void removed.push(endpoint)),
      ...over,
    },
    vapid: newVapid(),
    async fetch(url, { body, signal, redirect }) {
      assert.equal(redirect, 'error')
      const index = browsers.findIndex(({ subscription }) => subscription.endpoint === url)
      const [browser, reply] = [browsers.at(index), replies.at(index)]
      assert.ok(browser && signal)
      if (--waiting === 0) setTimeout(() => deadline.abort())
      if (reply === 'hangs') await new Promise((_, reject) => signal.addEventListener('abort', reject))
      if (reply === 'unreachable') throw new TypeError('fetch failed')
      received.push(decryptPush(browser, body as Uint8Array))
      return new Response('', { status: Number(reply) })
    },
    deadline: () => deadline.signal,
    log,
  })
  await run()
  assert.ok(!lines.join('').includes('secret-token'))
  return { received, removed, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

Deno.test('sends every browser the digest', async () => {
  const { received, lines } = await notify([201, 201])
  const digest = JSON.stringify({ title: '1 task due', body: 'Wax (Chain, Warbird)' })
  assert.deepEqual(received, [digest, digest])
  assert.deepEqual(lines, [{ source: 'test', event: 'notified', tasks: 1, sent: 2, gone: 0, failed: 0 }])
})

Deno.test('removes browsers that are gone and only logs other failures', async () => {
  const { removed, lines } = await notify([404, 500, 'unreachable', 410, 'hangs', 201])
  assert.deepEqual(removed.toSorted(), [`${FAR}-0`, `${FAR}-3`])
  const { sent, gone, failed } = lines.at(-1)!
  assert.deepEqual({ sent, gone, failed }, { sent: 1, gone: 2, failed: 3 })
  assert.ok(lines.some(({ event, status }) => event === 'push_refused' && status === 500))
})

Deno.test('sends nothing if there is nothing new', async () => {
  const { received, lines } = await notify([201], { claim: () => Promise.resolve(null) })
  assert.deepEqual([received, lines], [[], []])
})

Deno.test('never rejects', async () => {
  const { lines } = await notify([201], { claim: () => Promise.reject(new Error('database gone')) })
  assert.equal(lines.at(0)?.['event'], 'notification_failed')
})

Deno.test('a refused sign-in has its own notification', () => {
  assert.match(digestOf(null).title, /refused the sign-in/)
})

Deno.test('a digest lists at most five tasks, each on one short line', () => {
  assert.deepEqual(digestOf([wax, { name: 'Wash', item_name: null, bike: 'Warbird' }]), {
    title: '2 tasks due',
    body: 'Wax (Chain, Warbird), Wash (Warbird)',
  })
  const long: DueTask = { name: '🚲'.repeat(200), item_name: 'a\u0000b\n\tc', bike: null }
  const { title, body } = digestOf(Array.from({ length: 7 }, () => long))
  assert.equal(title, '7 tasks due')
  const each = `${'🚲'.repeat(39)}… (a b c)`
  assert.equal(body, [...Array.from({ length: 5 }, () => each), '2 more'].join(', '))
})
