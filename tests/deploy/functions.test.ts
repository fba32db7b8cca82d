import path from 'node:path'
import { rolldown } from 'rolldown'
import { beforeAll, describe, expect, test } from 'vitest'
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

let uploads: Map<string, Upload>

beforeAll(async () => {
  const { folder, remove } = await temporaryFolder()
  const api = await startManagementApi(folder)
  uploads = api.uploads
  const account = { HOME: folder, SUPABASE_ACCESS_TOKEN: `sbp_${'0'.repeat(40)}` }
  const project = '--remote=abcdefghijklmnopqrst'
  await supabaseIn(account, 'functions', 'deploy', ...FUNCTIONS, project, '--yes', '--profile', api.profile)
  api.close()
  await remove()
})

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

  // `npm run check:types` checks its types, and commands.test.ts bundles a function with Deno.
  test('imports nothing that is not deployed with it', async () => {
    const { files, metadata } = uploads.get(name)!
    const { imports } = JSON.parse(files.get(String(metadata.import_map_path))!)
    const uploaded = {
      name: 'uploaded',
      resolveId(name: string, importer = '') {
        if (Object.hasOwn(imports, name) || name.startsWith('node:')) return { id: name, external: true }
        const file = path.posix.join(path.posix.dirname(importer), name)
        if (!files.has(file)) throw new Error(`${importer} imports ${name}, which is not deployed.`)
        return file
      },
      load: (file: string) => files.get(file),
    }
    const bundled = await rolldown({ input: String(metadata.entrypoint_path), plugins: [uploaded] })
    const { output } = await bundled.generate()
    expect(output[0].code).toContain('createEndpoint')
  })
})
