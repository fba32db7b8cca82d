import { expect, test } from 'vitest'
import { openProject } from './project.ts'
import { functionSecrets, missingSettings, readDeployment } from './settings.ts'

const COMPLETE = {
  SUPABASE_URL: 'https://abcdefghijklmnopqrst.supabase.co',
  TRACKER_URL: 'https://tracker.example.com',
  RWGPS_API_KEY: 'key',
  RWGPS_EMAIL: 'owner@example.com',
  RWGPS_PASSWORD: 'planted-password',
  RWGPS_AUTH_TOKEN: '',
}

test('accepts complete settings, with or without what a deployment creates', () => {
  const deployment = {
    ref: 'abcdefghijklmnopqrst',
    url: 'https://abcdefghijklmnopqrst.supabase.co',
    client: 'https://tracker.example.com',
  }
  const created = { SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x', SCHEDULE_KEY: 'key' }
  expect(readDeployment(COMPLETE)).toEqual(deployment)
  expect(readDeployment({ ...COMPLETE, ...created })).toEqual(deployment)
  expect(readDeployment({ ...COMPLETE, SUPABASE_URL: `${COMPLETE.SUPABASE_URL}/` })).toEqual(deployment)
})

test.each([
  [{ SUPABASE_URL: '' }, 'SUPABASE_URL must be the URL of your project'],
  [{ SUPABASE_URL: 'https://supabase.com/dashboard/project/abcdefghijklmnopqrst' }, 'SUPABASE_URL must be'],
  [{ SUPABASE_PUBLISHABLE_KEY: 'sb_secret_planted' }, 'SUPABASE_PUBLISHABLE_KEY contains a secret key'],
  [{ TRACKER_URL: undefined }, 'TRACKER_URL must be the address of the client'],
  [{ TRACKER_URL: 'https://example.com/tracker' }, 'without a path'],
  [{ TRACKER_URL: 'https://tracker.example.com/' }, 'a slash at the end'],
  [{ TRACKER_URL: 'http://tracker.example.com' }, 'TRACKER_URL must be'],
  [{ RWGPS_PASSWORD: '' }, 'RWGPS_PASSWORD is missing'],
  [{ VAPID_PUBLIC_KEY: `B${'A'.repeat(86)}` }, 'Set both VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY'],
  [{ VAPID_PUBLIC_KEY: 'x', VAPID_PRIVATE_KEY: 'planted-private' }, 'VAPID_PUBLIC_KEY is not a public key'],
  [{ SCHEDULE_KEY: 'planted key' }, 'SCHEDULE_KEY may only contain'],
  [{ NTFY_TOKEN: 'planted' }, 'NTFY_TOKEN needs NTFY_URL'],
  [{ WEBHOOK_URL: 'https://a.example', WEBHOOK_SECRET: 'planted' }, 'WEBHOOK_SECRET must be whsec_'],
])('explains what is wrong with %j without repeating a secret', (wrong, message) => {
  const read = () => readDeployment({ ...COMPLETE, ...wrong })
  expect(read).toThrow(message)
  expect(read).not.toThrow(/planted/)
})

test('does not replace the notification keys of a project', async () => {
  const settings = { ...COMPLETE, SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x', SCHEDULE_KEY: 'key' }
  const project = {
    ...openProject('abcdefghijklmnopqrst'),
    secretNames: async () => ['VAPID_PRIVATE_KEY'],
  }
  await expect(missingSettings(settings, project)).rejects.toThrow(
    /Add VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY.+ VAPID_PRIVATE_KEY --remote=abcdefghijklmnopqrst\.$/,
  )
})

test('passes only their own settings to the functions', () => {
  const settings = {
    ...COMPLETE,
    SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x',
    SCHEDULE_KEY: 'key',
    VAPID_SUBJECT: 'mailto:owner@example.com',
    SYNC_SECONDS: '100',
    NTFY_URL: '',
  }
  expect(Object.keys(functionSecrets(settings))).toEqual([
    'RWGPS_API_KEY',
    'RWGPS_EMAIL',
    'RWGPS_PASSWORD',
    'SCHEDULE_KEY',
    'VAPID_SUBJECT',
    'SYNC_SECONDS',
  ])
  expect(functionSecrets({ ...settings, WEBHOOK_URL: 'https://a.example' })).toMatchObject({
    WEBHOOK_URL: 'https://a.example',
    TRACKER_URL: COMPLETE.TRACKER_URL,
  })
})
