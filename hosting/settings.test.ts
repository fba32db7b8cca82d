import { expect, test } from 'vitest'
import { readHostedConfig } from './settings.ts'

const SUPABASE_URL = 'https://abcdefghijklmnopqrst.supabase.co'
const SUPABASE_PUBLISHABLE_KEY = 'sb_publishable_abc'
const legacyKey = (role: string) =>
  ['{"alg":"HS256"}', JSON.stringify({ role }), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')

test('without settings the client is built for whoever answers /config.json', () => {
  expect(readHostedConfig({})).toBe(null)
  expect(readHostedConfig({ SUPABASE_URL: '', SUPABASE_PUBLISHABLE_KEY: '' })).toBe(null)
})

test('the hosted client is told of its project, never that it shows a sample', () => {
  expect(readHostedConfig({ SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY })).toEqual({
    supabaseUrl: SUPABASE_URL,
    publishableKey: SUPABASE_PUBLISHABLE_KEY,
    rwgpsUrl: 'https://ridewithgps.com',
    sample: false,
  })
  const legacy = { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY: legacyKey('anon') }
  expect(readHostedConfig(legacy)?.publishableKey).toBe(legacyKey('anon'))
})

test.each([
  ['half of the settings', { SUPABASE_URL }, /set both or neither/],
  ['the other half', { SUPABASE_PUBLISHABLE_KEY }, /set both or neither/],
  ['no address', { SUPABASE_URL: 'abc', SUPABASE_PUBLISHABLE_KEY }, /no address/],
  ['a secret key', { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY: 'sb_secret_abc' }, /holds a secret key/],
  [
    'the secret key of an older project',
    { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY: legacyKey('service_role') },
    /holds a secret key/,
  ],
])('%s stops the build', (_, environment, sentence) => {
  expect(() => readHostedConfig(environment)).toThrow(sentence)
})
