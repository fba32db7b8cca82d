import { rm, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWeb } from '../../embedded/web.ts'
import { freePort } from '../../embedded/port.ts'

let url: string
let stop: () => Promise<void>

// Replaces supabase/functions/.env, which a clone doesn't have.
const SECRETS = 'supabase/functions/.env.dev-test'

beforeAll(async () => {
  await writeFile(SECRETS, 'RWGPS_PASSWORD=secret')
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const nothing = { fetch: async () => new Response(null, { status: 404 }) }
  const config = {
    publishableKey: 'key',
    rwgpsUrl: 'http://127.0.0.1:1',
    sample: true,
    vapidPublicKey: 'key',
  }
  stop = await startWeb({
    network: { port, host: '127.0.0.1', publicUrl: undefined },
    dev: true,
    api: nothing,
    isDatabaseUp: async () => true,
    functions: { use: (send) => send(url) },
    config,
    hasDemoAccount: () => Promise.resolve(false),
    warn: () => undefined,
  })
})
afterAll(async () => {
  await stop()
  await rm(SECRETS)
})

const root = process.cwd()
const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status

test.each(['/', '/src/app/main.tsx', '/icon.svg', '/@vite/client', '/config.json'])(
  'hot reload serves %s',
  async (path) => {
    expect(await statusOf(path)).toBe(200)
  },
)

// By default, the data folder is next to these files.
test.each(['package-lock.json', 'embedded/secrets.ts', 'supabase/config.toml', SECRETS])(
  'hot reload does not serve %s',
  async (file) => {
    for (const path of [
      `/${file}`,
      `/${file}?raw`,
      `/${file}?import`,
      `/${file}?url`,
      `/@fs${root}/${file}`,
    ]) {
      const response = await fetch(`${url}${path}`)
      const isPage = response.status === 200 && (await response.text()).includes('<div id="root">')
      expect(isPage || response.status >= 400).toBe(true)
    }
  },
)
