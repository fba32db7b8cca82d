import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { callFunction, startFunctions } from './functions.ts'

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
const PATIENT = { timeout: 30_000 }
const preflight = (url: string) => fetch(`${url}/functions/v1/update-rides`, { method: 'OPTIONS' })

test('idle functions stop, and start again for the next request', async () => {
  const functions = await startFunctions(ENVIRONMENT, { idleMs: 0 })
  const first = await functions.use(async (url) => url)
  const isUp = () =>
    preflight(first).then(
      () => true,
      () => false,
    )
  await expect.poll(isUp, PATIENT).toBe(false)
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
      await vi.waitFor(() => expect(onExit).toHaveBeenCalledTimes(exits), PATIENT)
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
    await vi.waitFor(async () => expect((await callFunction(functions, request())).status).toBe(204), PATIENT)
    await functions.stop()
  })

  test('receive no body of more than 64 kB', async () => {
    const functions = { use: () => Promise.reject(new Error('This is never called.')) }
    const init = { method: 'POST', headers: { 'content-length': '65537' }, body: 'x'.repeat(65_537) }
    const long = new Request('http://127.0.0.1/functions/v1/garage', init)
    expect(await answer(await callFunction(functions, long))).toEqual([413, 'too_large'])
  })
})
