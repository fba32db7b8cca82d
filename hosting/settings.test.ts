import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { HOSTED_FILE, hostedEnvironment, readHostedConfig } from './settings.ts'

const SUPABASE_URL = 'https://abcdefghijklmnopqrst.supabase.co'
const SUPABASE_PUBLISHABLE_KEY = 'sb_publishable_abc'
const legacyKey = (role: string) =>
  ['{"alg":"HS256"}', JSON.stringify({ role }), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')

test('has no config without settings', () => {
  expect(readHostedConfig({})).toBe(null)
  expect(readHostedConfig({ SUPABASE_URL: '', SUPABASE_PUBLISHABLE_KEY: '' })).toBe(null)
})

test('configures the project and never sample data', () => {
  expect(readHostedConfig({ SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY })).toEqual({
    supabaseUrl: SUPABASE_URL,
    publishableKey: SUPABASE_PUBLISHABLE_KEY,
    rwgpsUrl: 'https://ridewithgps.com',
    sample: false,
    secondFactor: true,
    isHosted: true,
  })
  const VAPID_PUBLIC_KEY = `B${'A'.repeat(86)}`
  const withKey = readHostedConfig({ SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, VAPID_PUBLIC_KEY })
  expect(withKey?.vapidPublicKey).toBe(VAPID_PUBLIC_KEY)
  const legacy = { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY: legacyKey('anon') }
  expect(readHostedConfig(legacy)?.publishableKey).toBe(legacyKey('anon'))
})

test.each([
  ['only SUPABASE_URL', { SUPABASE_URL }, /Set both/],
  ['only SUPABASE_PUBLISHABLE_KEY', { SUPABASE_PUBLISHABLE_KEY }, /Set both/],
  ['an invalid URL', { SUPABASE_URL: 'abc', SUPABASE_PUBLISHABLE_KEY }, /not a valid URL/],
  ['a secret key', { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY: 'sb_secret_abc' }, /contains a secret key/],
  [
    'the private key for notifications',
    { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, VAPID_PUBLIC_KEY: 'A'.repeat(43) },
    /not a public key/,
  ],
  [
    'a legacy secret key',
    { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY: legacyKey('service_role') },
    /contains a secret key/,
  ],
])('%s fails the build', (_, environment, message) => {
  expect(() => readHostedConfig(environment)).toThrow(message)
})

test('SUPABASE_URL in the environment, even an empty one, overrides the file of a hosted project', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'tracker-'))
  try {
    const other = { PATH: '/bin' }
    expect(hostedEnvironment(other, root)).toEqual(other)
    await mkdir(path.join(root, path.dirname(HOSTED_FILE)))
    await writeFile(
      path.join(root, HOSTED_FILE),
      `# Mine.\nSUPABASE_URL=${SUPABASE_URL}\nVAPID_PUBLIC_KEY='B'\n`,
    )
    expect(hostedEnvironment(other, root)).toEqual({ ...other, SUPABASE_URL, VAPID_PUBLIC_KEY: 'B' })
    for (const environment of [{ SUPABASE_URL: '' }, { SUPABASE_URL: 'http://127.0.0.1:54321' }])
      expect(hostedEnvironment(environment, root)).toEqual(environment)
  } finally {
    await rm(root, { recursive: true })
  }
})
