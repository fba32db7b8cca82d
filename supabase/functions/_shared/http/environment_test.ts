import assert from 'node:assert/strict'
import { readProject, readSeconds, readSecretKey, required } from './environment.ts'

const from = (table: Record<string, string>) => (name: string) => table[name]

Deno.test('a missing or empty variable throws with its name', () => {
  assert.throws(() => required(from({}), 'RWGPS_API_KEY'), /RWGPS_API_KEY/)
  assert.throws(() => required(from({ RWGPS_API_KEY: '' }), 'RWGPS_API_KEY'), /RWGPS_API_KEY/)
  assert.throws(() => readProject(from({ SUPABASE_URL: 'http://localhost' })), /SUPABASE_PUBLISHABLE_KEY/)
  assert.throws(() => readSecretKey(from({})), /SUPABASE_SECRET_KEY/)
})

Deno.test('reads seconds as milliseconds, or the default', () => {
  assert.equal(readSeconds(from({ LIMIT: '1.5' }), 'LIMIT', 70), 1500)
  for (const table of [{}, { LIMIT: '' }]) assert.equal(readSeconds(from(table), 'LIMIT', 70), 70_000)
  for (const LIMIT of ['0', '-1', '2 minutes', 'Infinity'])
    assert.throws(() => readSeconds(from({ LIMIT }), 'LIMIT', 70), /LIMIT is not a number of seconds/)
})

Deno.test('prefers the default named key to a single key, and a single key to the legacy key', () => {
  const legacy = { SUPABASE_SERVICE_ROLE_KEY: 'legacy' }
  const single = { ...legacy, SUPABASE_SECRET_KEY: 'single' }
  const named = { ...single, SUPABASE_SECRET_KEYS: '{"other":"x","default":"hosted"}' }
  assert.equal(readSecretKey(from(legacy)), 'legacy')
  assert.equal(readSecretKey(from(single)), 'single')
  assert.equal(readSecretKey(from(named)), 'hosted')
})

Deno.test('reads the project URL and publishable key', () => {
  const project = readProject(from({ SUPABASE_URL: 'http://localhost', SUPABASE_ANON_KEY: 'anon' }))
  assert.deepEqual(project, { url: 'http://localhost', publishableKey: 'anon' })
})

for (const value of [
  'sb_secret_bare',
  '{}',
  '{"other":"x"}',
  '{"default":""}',
  '{"default":7}',
  'null',
  '[]',
]) {
  Deno.test(`the named keys ${value} give way to the legacy key, and aren't repeated if there is none`, () => {
    const named = { SUPABASE_SECRET_KEYS: value }
    assert.equal(readSecretKey(from({ ...named, SUPABASE_SERVICE_ROLE_KEY: 'legacy' })), 'legacy')
    assert.throws(() => readSecretKey(from(named)), {
      message:
        'The environment variables SUPABASE_SECRET_KEY and SUPABASE_SERVICE_ROLE_KEY are missing, and SUPABASE_SECRET_KEYS has no key "default".',
    })
  })
}
