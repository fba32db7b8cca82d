import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { readNtfy, readWebhook } from './settings.ts'

type Variables = Record<string, string>
const ntfy = (variables: Variables) => readNtfy((name) => variables[name])
const webhook = (variables: Variables) => readWebhook((name) => variables[name])

const KEY = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

Deno.test('reads where to send, also inside the machine', () => {
  assert.equal(ntfy({}), null)
  assert.equal(webhook({ WEBHOOK_URL: '', WEBHOOK_SECRET: '' }), null)
  assert.deepEqual(ntfy({ NTFY_URL: 'http://127.0.0.1:8080/bikes' }), {
    url: 'http://127.0.0.1:8080/bikes',
    token: undefined,
  })
  assert.equal(ntfy({ NTFY_URL: 'https://ntfy.sh/bikes', NTFY_TOKEN: 'tk_x' })?.token, 'tk_x')
  const { key } = webhook({ WEBHOOK_URL: 'https://example.com', WEBHOOK_SECRET: `whsec_${KEY}` })!
  assert.equal(Buffer.from(key!).toString('base64'), KEY)
  assert.equal(webhook({ WEBHOOK_URL: 'https://example.com/hook?id=1' })?.key, null)
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
      () => [ntfy(variables), webhook(variables)],
      ({ message: thrown }: Error) => thrown.includes(message) && !thrown.includes('planted'),
    )
  })
}
