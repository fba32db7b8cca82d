import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../embedded/installation.ts'
import { FUNCTIONS } from './doctor/hosted-project.ts'

const read = async (file: string) => JSON.parse(await readFile(path.join(ROOT, file), 'utf8'))
const OF_ALL = ['@supabase/supabase-js', 'valibot']
const MORE: Record<string, string[]> = {
  api: ['@valibot/to-json-schema'],
  calendar: ['ical-generator'],
  channels: ['@block65/webcrypto-web-push'],
  mcp: ['@modelcontextprotocol/server', '@valibot/to-json-schema'],
  'update-rides': ['@block65/webcrypto-web-push'],
}

test.each(globSync('supabase/functions/{,*/}deno.json', { cwd: ROOT }))(
  '%s matches the installed versions',
  async (file) => {
    const { devDependencies } = await read('package.json')
    for (const [name, target] of Object.entries((await read(file)).imports))
      expect(target).toBe(`npm:${name}@${devDependencies[name]}`)
  },
)

test.each(FUNCTIONS)('%s is deployed without test dependencies', async (name) => {
  const { imports } = await read(`supabase/functions/${name}/deno.json`)
  expect(Object.keys(imports).toSorted()).toEqual([...OF_ALL, ...(MORE[name] ?? [])].toSorted())
})
