import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SAMPLE_CREDENTIALS } from '../../sample/server.ts'
import { buildClient } from '../../embedded/client.ts'

// The sample guide shows these variable names with placeholder values.
const GUIDE = /RWGPS_(?:API_KEY=your-api-key|EMAIL=you@example\.com|PASSWORD='your-password')/g

test('the built client contains no secrets or names of secrets', async () => {
  const folder = await buildClient()
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map((file) => readFile(path.join(file.parentPath, file.name), 'latin1')),
  )
  const bundle = texts.join('\n').replaceAll(GUIDE, '')
  expect(bundle).toContain('RWGPS Maintenance Tracker')
  const forbidden = [
    'service_role',
    'SCHEDULE_KEY',
    'x-schedule-key',
    'jwtSecret',
    ...['API_KEY', 'EMAIL', 'PASSWORD', 'AUTH_TOKEN'].map((name) => `RWGPS_${name}`),
    ...Object.values(SAMPLE_CREDENTIALS).filter((value) => value !== 'password'),
  ]
  expect(forbidden.filter((word) => bundle.includes(word))).toEqual([])
  // supabase-js contains the prefix of secret keys, so look for more than the prefix.
  expect(bundle).not.toMatch(/sb_secret_[\w-]{8}/)
})
