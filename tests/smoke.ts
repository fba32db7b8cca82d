// `node tests/smoke.ts`: creates the owner in local Supabase, signs in, syncs with the sample's Ride with GPS and reads usage.
// The functions need the sample's credentials and an RWGPS_BASE_URL that points to port 8787 on this machine.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createClient } from '@supabase/supabase-js'
import { createSampleAccount } from '../sample/server.ts'

const { API_URL = '', PUBLISHABLE_KEY = '', SECRET_KEY = '' } = process.env
const account = { email: 'owner@example.com', password: 'password' }
const connect = (key: string) => createClient(API_URL, key, { auth: { persistSession: false } })

const listener = getRequestListener(createSampleAccount().fetch)
const rwgps = createServer((request, response) => void listener(request, response))
// Listen on all addresses, because containers can't reach this machine's loopback address.
rwgps.listen(8787, '0.0.0.0')
await once(rwgps, 'listening')

assert.equal((await createUser(account.email)).status, 200)
const owner = connect(PUBLISHABLE_KEY)
assert.equal((await owner.auth.signInWithPassword(account)).error, null)

const sync = await owner.functions.invoke<{ fetched: number }>('update-rides', { method: 'POST' })
assert.equal(sync.error, null)
assert.ok(sync.data!.fetched > 1000)

const bikes = await owner.from('bikes').select('gear_id').order('gear_id')
assert.equal(bikes.error, null)
assert.equal(bikes.data.length, 4)
for (const { gear_id } of bikes.data as { gear_id: number }[]) {
  const usage = await owner.functions.invoke<{ total: { distance: number } }>('maintenance-use', {
    body: { gear_id },
  })
  assert.equal(usage.error, null)
  assert.ok(usage.data!.total.distance > 0)
}

assert.equal((await connect(PUBLISHABLE_KEY).from('rides').select('id')).error?.code, '42501')
assert.equal((await createUser('second@example.com')).ok, false)
console.log(`Synced ${sync.data!.fetched} rides and read the usage of ${bikes.data.length} bikes.`)
rwgps.close()

/** Creates a user the way docs/local-supabase.md describes. */
function createUser(email: string): Promise<Response> {
  const headers = {
    apikey: SECRET_KEY,
    authorization: `Bearer ${SECRET_KEY}`,
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ ...account, email, email_confirm: true })
  return fetch(`${API_URL}/auth/v1/admin/users`, { method: 'POST', headers, body })
}
