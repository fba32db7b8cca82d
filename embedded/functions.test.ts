import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { callFunction, findDeno, permissions, startFunctions } from './functions.ts'

const ENVIRONMENT = {
  SUPABASE_URL: 'http://127.0.0.1:9',
  SUPABASE_PUBLISHABLE_KEYS: '{"default":"sb_publishable_key"}',
  SUPABASE_SECRET_KEYS: '{"default":"sb_secret_key"}',
  SCHEDULE_KEY: 'key',
  RWGPS_BASE_URL: 'http://127.0.0.1:9',
  RWGPS_API_KEY: 'key',
  RWGPS_EMAIL: 'rider@example.com',
  RWGPS_PASSWORD: 'wheels',
}
const preflight = (url: string) => fetch(`${url}/functions/v1/update-rides`, { method: 'OPTIONS' })

test('idle functions stop, and start again for the next request', async () => {
  const functions = await startFunctions(ENVIRONMENT, { idleMs: 0 })
  const first = await functions.use(async (url) => url)
  const isUp = () =>
    preflight(first).then(
      () => true,
      () => false,
    )
  await expect.poll(isUp).toBe(false)
  expect((await functions.use(preflight)).status).toBe(204)
  await functions.stop()
})

function denoPid(): number {
  const children = execFileSync('ps', ['-o', 'pid=,comm=', '--ppid', String(process.pid)], {
    encoding: 'utf8',
  })
  return Number(/(\d+) deno/.exec(children)![1])
}

const request = () => new Request('http://127.0.0.1/functions/v1/update-rides', { method: 'OPTIONS' })
const answer = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
]

describe('functions that fail', () => {
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
  afterEach(() => void vi.restoreAllMocks())

  test('start again after an unexpected exit, five times in ten minutes', async () => {
    const onExit = vi.fn<() => void>()
    const functions = await startFunctions(ENVIRONMENT, { onExit })
    let hasDied = false
    void functions.died.then(() => (hasDied = true))
    for (let exits = 1; exits <= 5; exits++) {
      const calling = functions.use((url) => fetch(`${url}/functions/v1/update-rides`, { method: 'POST' }))
      expect((await calling).status).toBe(401)
      process.kill(denoPid(), 'SIGKILL')
      await expect.poll(() => onExit.mock.calls).toHaveLength(exits)
    }
    expect((await functions.use(preflight)).status).toBe(204)
    expect(hasDied).toBe(false)
    process.kill(denoPid(), 'SIGKILL')
    await functions.died
    await functions.stop()
  })

  test('answer calls with an error while they stop and after a timeout', async () => {
    const functions = await startFunctions(ENVIRONMENT)
    const deno = denoPid()
    process.kill(deno, 'SIGSTOP')
    expect(await answer(await callFunction(functions, request(), 100))).toEqual([504, 'function_timeout'])
    const pending = callFunction(functions, request())
    process.kill(deno, 'SIGKILL')
    expect(await answer(await pending)).toEqual([503, 'functions_unavailable'])
    await expect.poll(async () => (await callFunction(functions, request())).status).toBe(204)
    await functions.stop()
  })

  test('receive no body of more than 64 kB', async () => {
    const functions = { use: () => Promise.reject(new Error('This is never called.')) }
    const init = { method: 'POST', headers: { 'content-length': '65537' }, body: 'x'.repeat(65_537) }
    const long = new Request('http://127.0.0.1/functions/v1/garage', init)
    expect(await answer(await callFunction(functions, long))).toEqual([413, 'too_large'])
  })
})

/** Runs a program with the functions' permissions. Resolves to what it prints, as JSON. */
async function run(environment: Record<string, string>, program: string): Promise<unknown> {
  const deno = spawn(findDeno(), ['run', '--quiet', '--no-prompt', ...permissions(environment), '-'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment, OTHER: 'planted' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  deno.stdin.end(program)
  return JSON.parse((await Array.fromAsync(deno.stdout)).join(''))
}

describe('the permissions of the functions', () => {
  const attempt = `const attempt = async (use) => {
    try { return String(await use()) } catch (error) { return error.name }
  };`

  test('reach Ride with GPS, ntfy and the webhook, and no other host', async () => {
    const servers = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
        await once(server, 'listening')
        return server
      }),
    )
    const [supabase, rwgps, ntfy, webhook, other] = servers.map(
      (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ) as [string, string, string, string, string]
    const environment = {
      SUPABASE_URL: supabase,
      RWGPS_BASE_URL: rwgps,
      NTFY_URL: `${ntfy}/bikes`,
      WEBHOOK_URL: `${webhook}/hook`,
    }
    const urls = [...Object.values(environment), other, 'https://example.com', 'http://169.254.169.254']
    const fetched = await run(
      environment,
      `${attempt} console.log(JSON.stringify(await Promise.all(${JSON.stringify(urls)}.map((url) =>
        attempt(async () => (await fetch(url)).status)))))`,
    )
    for (const server of servers) server.close()
    expect(fetched).toEqual(['200', '200', '200', '200', 'NotCapable', 'NotCapable', 'NotCapable'])
  })

  test('include no files, no programs and no other variables', async () => {
    const used = await run(
      {},
      `${attempt} console.log(JSON.stringify([
        await attempt(() => Deno.readTextFile('/etc/hostname')),
        await attempt(() => Deno.writeTextFile('/tmp/planted', '')),
        await attempt(() => new Deno.Command('true').output()),
        await attempt(() => Deno.env.get('OTHER')),
      ]))`,
    )
    expect(used).toEqual(Array(4).fill('NotCapable'))
  })
})
