import assert from 'node:assert/strict'
import { CHANNELS } from './list.ts'

type Variables = Record<string, string>
const read = (variables: Variables) =>
  CHANNELS.flatMap((channel) => channel.read((name) => variables[name]) ?? [])
const about = (variables: Variables) => read(variables).map((settings) => settings.about)

const KEY = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

Deno.test('reads where to send, also inside the machine', () => {
  assert.deepEqual(about({ WEBHOOK_URL: '', WEBHOOK_SECRET: '' }), [])
  assert.deepEqual(about({ NTFY_URL: 'http://127.0.0.1:8080/bikes' }), ['ntfy gets them at 127.0.0.1:8080'])
  assert.deepEqual(about({ WEBHOOK_URL: 'https://example.com', WEBHOOK_SECRET: `whsec_${KEY}` }), [
    'A webhook gets them at example.com, signed',
  ])
  assert.deepEqual(about({ WEBHOOK_URL: 'https://example.com/hook?id=1' }), [
    'A webhook gets them at example.com, not signed',
  ])
})

Deno.test('keeps tokens, topics and paths out of the log', () => {
  const secret = { VAPID_PUBLIC_KEY: 'public', VAPID_PRIVATE_KEY: 'private' }
  const [webPush, ntfy, webhook] = read({
    ...secret,
    NTFY_URL: 'https://ntfy.sh/bikes',
    NTFY_TOKEN: 'tk_x',
    WEBHOOK_URL: 'https://example.com/hook',
  }).map(({ secrets }) => secrets)
  assert.deepEqual(webPush, ['private'])
  assert.deepEqual(ntfy, ['https://ntfy.sh/bikes', 'tk_x'])
  assert.deepEqual(webhook, ['https://example.com/hook'])
})

const hosts = (variables: Variables) =>
  CHANNELS.flatMap((channel) => channel.hosts((name) => variables[name])).filter(
    (host) => !host.startsWith('*.'),
  )

Deno.test('may reach its own host, and only push services without settings', () => {
  assert.deepEqual(hosts({}), [])
  assert.deepEqual(
    hosts({ NTFY_URL: 'http://127.0.0.1:8080/bikes', WEBHOOK_URL: 'https://example.com/hook' }),
    ['127.0.0.1:8080', 'example.com:443'],
  )
})

for (const [variables, message] of [
  [{ NTFY_URL: 'localhost:8080/planted' }, 'NTFY_URL must be a URL that starts with https:// or http://.'],
  [{ NTFY_URL: '127.0.0.1/planted' }, 'NTFY_URL must be a URL that starts with'],
  [{ NTFY_URL: 'ftp://example.com/planted' }, 'NTFY_URL must be a URL that starts with'],
  [{ NTFY_URL: 'https://' }, 'NTFY_URL must be a URL that starts with'],
  [{ NTFY_URL: 'https://ntfy.sh' }, 'NTFY_URL must end with a topic'],
  [{ NTFY_URL: 'https://ann:planted@ntfy.sh/bikes' }, 'NTFY_URL must not contain a user name or password'],
  [{ NTFY_URL: 'https://ntfy.sh/bikes', NTFY_TOKEN: 'planted token' }, 'NTFY_TOKEN may only contain'],
  [{ NTFY_TOKEN: 'planted' }, 'NTFY_TOKEN needs NTFY_URL'],
  [{ WEBHOOK_URL: 'example.com/planted' }, 'WEBHOOK_URL must be a URL that starts with'],
  [{ WEBHOOK_SECRET: `whsec_${KEY}` }, 'WEBHOOK_SECRET needs WEBHOOK_URL'],
  ...[KEY, 'whsec_', 'whsec_planted!', 'whsec_abcde', `WHSEC_${KEY}`, `whsec_${KEY}\n`].map(
    (secret) =>
      [
        { WEBHOOK_URL: 'https://example.com', WEBHOOK_SECRET: secret },
        'WEBHOOK_SECRET must be whsec_ and a key in base64',
      ] as const,
  ),
] as const) {
  Deno.test(`rejects ${JSON.stringify(variables)} without repeating a secret`, () => {
    assert.throws(
      () => read(variables),
      ({ message: thrown }: Error) => thrown.includes(message) && !thrown.includes('planted'),
    )
  })
}
