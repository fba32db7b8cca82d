import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createToken } from '../../supabase/functions/_shared/tokens.ts'
import { countRows, signIn, type OwnerClient } from '../owner.ts'
import { prepareTracker, type Prepared } from '../postgres.ts'
import { start, type Running } from '../running.ts'
import { SIGN_IN, startRideWithGps, type RideWithGps } from '../sync/ride-with-gps.ts'
import { trips } from '../sync/trips.ts'
import { command } from './commands.ts'

let data: Prepared['environment']
let remove: () => Promise<unknown>
let rwgps: RideWithGps
let running: Running[]
beforeEach(async () => {
  ;({ environment: data, remove } = await prepareTracker())
  rwgps = await startRideWithGps()
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((stack) => stack.stop('SIGKILL')))
  await Promise.all([rwgps.close(), remove()])
})

const environment = () => ({
  ...data,
  OWNER_PASSWORD: 'password',
  RWGPS_BASE_URL: rwgps.url,
  ...SIGN_IN,
})
const switchAccount = (more: Record<string, string> = {}) =>
  command('switch-account', [], { ...environment(), ...more })

async function startHere(): Promise<[Running, OwnerClient]> {
  const stack = await start(environment())
  running.push(stack)
  return [stack, await signIn(stack.url)]
}

async function sync(owner: OwnerClient) {
  const { data } = await owner.functions.invoke('update-rides', { method: 'POST', body: {} })
  return data?.status
}

const counts = async (owner: OwnerClient) => ({
  bikes: await countRows(owner, 'bikes'),
  rides: await countRows(owner, 'rides'),
  maintenance: await countRows(owner, 'maintenance'),
})
const backups = async () => (await readdir(data.TRACKER_DATA_DIR)).filter((file) => file.includes('backup'))

const oneMessage = /^[^\n]+\.\n$/

test('switches accounts whether or not the tracker is running', async () => {
  const [stack, owner] = await startHere()
  Object.assign(rwgps.behavior, {
    gear: [
      { id: 1, nickname: 'Road' },
      { id: 2, nickname: 'Gravel' },
      { id: 4, nickname: 'Tourer' },
    ],
    trips: trips(5),
  })
  expect(await sync(owner)).toBe('ok')
  await owner.from('maintenance').insert({ bikeId: 1, name: 'Chain', dateStarted: '2026-01-01 01:00:00' })
  await owner.from('service_tasks').insert({ gear_id: 4, name: 'Wash', every_days: 30 })
  const token = createToken()
  await owner.rpc('create_token', { token, name: 'Dashboard', scope: 'read' })
  Object.assign(rwgps.behavior, { rider: 7, gear: [{ id: 3, nickname: 'Tandem' }], trips: trips(12, 11) })
  expect(await sync(owner)).toBeUndefined()

  const { code, output } = await switchAccount()
  const [file] = await backups()
  expect(code).toBe(0)
  expect(output.split('\n')).toEqual([
    expect.stringMatching(/^Backed up 3 bikes, 1 .+, 5 rides: /),
    'Removed 5 rides, and 1 bike without log entries or service tasks. The log is unchanged.',
    'The next sync loads the rides of the new account.',
    '',
  ])
  expect(output).toContain(`: ${path.join(data.TRACKER_DATA_DIR, file!)}\n`)
  expect(JSON.parse(await readFile(path.join(data.TRACKER_DATA_DIR, file!), 'utf8')).rides).toHaveLength(5)
  expect(await counts(owner)).toEqual({ bikes: 2, rides: 0, maintenance: 1 })
  expect(await sync(owner)).toBe('ok')
  expect(await counts(owner)).toEqual({ bikes: 3, rides: 2, maintenance: 1 })
  await stack.stop()

  expect((await switchAccount()).output).toContain(
    'Removed 2 rides, and 1 bike without log entries or service tasks.',
  )
  const [restarted, again] = await startHere()
  expect(await counts(again)).toEqual({ bikes: 2, rides: 0, maintenance: 1 })
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${restarted.url}/functions/v1/api/v1/summary`, { headers })).status).toBe(200)
})

test('reports when there is nothing to switch', async () => {
  const nothing = { code: 1, output: expect.stringMatching(/^There is nothing to switch[^\n]+\.\n$/) }
  const missing = path.join(data.TRACKER_DATA_DIR, 'missing')
  expect(await switchAccount({ TRACKER_DATA_DIR: missing, DATABASE_URL: '' })).toEqual(nothing)
  expect(await readdir(data.TRACKER_DATA_DIR)).toEqual([])

  const [stack] = await startHere()
  await stack.stop()
  expect(await switchAccount()).toEqual(nothing)
  expect(await backups()).toEqual([])

  const sample = await switchAccount({ RWGPS_API_KEY: '', RWGPS_EMAIL: '', RWGPS_PASSWORD: '' })
  expect(sample).toEqual({ code: 1, output: expect.stringMatching(oneMessage) })
  expect(sample.output).toContain('The sample has no Ride with GPS account')
})
