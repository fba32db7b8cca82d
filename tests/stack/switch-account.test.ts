import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createToken } from '../../supabase/functions/_shared/http/tokens.ts'
import { countRows, signIn } from '../owner.ts'
import { prepareTracker, startPrepared } from '../postgres.ts'
import { SIGN_IN, startRideWithGps } from '../sync/ride-with-gps.ts'
import { trips } from '../sync/trips.ts'
import { command } from './commands.ts'

test('switches the account of a running tracker, and keeps its log and tokens', async () => {
  const [prepared, rwgps] = await Promise.all([prepareTracker(), startRideWithGps()])
  const account = { OWNER_PASSWORD: 'password', RWGPS_BASE_URL: rwgps.url, ...SIGN_IN }
  const stack = await startPrepared(prepared, account)
  const owner = await signIn(stack.url)
  const sync = async () => {
    const { data } = await owner.functions.invoke('update-rides', { method: 'POST', body: {} })
    return data?.status
  }
  const counts = async () => ({
    bikes: await countRows(owner, 'bikes'),
    rides: await countRows(owner, 'rides'),
    maintenance: await countRows(owner, 'maintenance'),
  })

  Object.assign(rwgps.behavior, {
    gear: [
      { id: 1, nickname: 'Road' },
      { id: 2, nickname: 'Gravel' },
      { id: 4, nickname: 'Tourer' },
    ],
    trips: trips(5),
  })
  expect(await sync()).toBe('ok')
  await owner.from('maintenance').insert({ bikeId: 1, name: 'Chain', dateStarted: '2026-01-01 01:00:00' })
  await owner.from('service_tasks').insert({ gear_id: 4, name: 'Wash', every_days: 30 })
  const token = createToken()
  await owner.rpc('create_token', { token, name: 'Dashboard', scope: 'read' })
  Object.assign(rwgps.behavior, { rider: 7, gear: [{ id: 3, nickname: 'Tandem' }], trips: trips(12, 11) })
  expect(await sync()).toBeUndefined()

  const { code, output } = await command('switch-account', [], { ...prepared.environment, ...account })
  const folder = prepared.environment.TRACKER_DATA_DIR
  const file = path.join(
    folder,
    (await readdir(folder)).find((name) => name.includes('backup'))!,
  )
  expect(code).toBe(0)
  expect(output.split('\n')).toEqual([
    expect.stringMatching(/^Backed up 3 bikes, 1 .+, 5 rides: /),
    'Removed 5 rides, and 1 bike without log entries or service tasks. The log is unchanged.',
    'The next sync loads the rides of the new account.',
    '',
  ])
  expect(output).toContain(`: ${file}\n`)
  expect(JSON.parse(await readFile(file, 'utf8')).rides).toHaveLength(5)
  expect(await counts()).toEqual({ bikes: 2, rides: 0, maintenance: 1 })
  expect(await sync()).toBe('ok')
  expect(await counts()).toEqual({ bikes: 3, rides: 2, maintenance: 1 })
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${stack.url}/functions/v1/api/v1/summary`, { headers })).status).toBe(200)
  await stack.stop()
  await rwgps.close()
})
