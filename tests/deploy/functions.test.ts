import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findDeno } from '../../embedded/functions.ts'
import { supabaseIn } from '../../scripts/supabase-cli.ts'
import { temporaryFolder } from '../running.ts'
import { startManagementApi, type Upload } from './management-api.ts'

const FUNCTIONS = [
  'update-rides',
  'maintenance-use',
  'garage',
  'service-due',
  'part-lifetimes',
  'spending',
  'to-check',
  'ride-changes',
  'calendar',
]

let folder: string
let remove: () => Promise<void>
let uploads: Map<string, Upload>

beforeAll(async () => {
  ;({ folder, remove } = await temporaryFolder())
  const api = await startManagementApi(folder)
  uploads = api.uploads
  const account = { HOME: folder, SUPABASE_ACCESS_TOKEN: `sbp_${'0'.repeat(40)}` }
  const project = '--remote=abcdefghijklmnopqrst'
  await supabaseIn(account, 'functions', 'deploy', ...FUNCTIONS, project, '--yes', '--profile', api.profile)
  api.close()
})
afterAll(() => remove())

describe.each(FUNCTIONS)('the deployed %s', (name) => {
  test('verifies its callers itself and has its own import map', () => {
    expect(uploads.get(name)!.metadata).toMatchObject({
      verify_jwt: false,
      entrypoint_path: `supabase/functions/${name}/index.ts`,
      import_map_path: `supabase/functions/${name}/deno.json`,
    })
  })

  test('contains no tests, secrets or files of the other function', () => {
    const files = [...uploads.get(name)!.files.keys()]
    expect(files.length).toBeGreaterThan(8)
    const own = new RegExp(`^supabase/(?:functions/(?:_shared|${name})/|database\\.types\\.ts$)`)
    expect(files.filter((file) => !own.test(file))).toEqual([])
    expect(files.filter((file) => /_test\.ts$|testing\.ts$|\.env/.test(file))).toEqual([])
  })

  // `npm run check:types` checks its types.
  test('bundles on its own', async () => {
    const { files } = uploads.get(name)!
    const root = path.join(folder, name)
    for (const [file, text] of files) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true })
      await writeFile(path.join(root, file), text)
    }
    const own = path.join(root, 'supabase/functions', name)
    const deno = (...args: string[]) =>
      promisify(execFile)(
        findDeno(),
        [...args, '--no-lock', `--config=${own}/deno.json`, `${own}/index.ts`],
        {
          cwd: root,
        },
      )
    expect((await deno('bundle', '--quiet')).stdout).toContain('createHandler')
  })
})
