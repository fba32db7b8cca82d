// Serves the edge functions to the embedded stack. Runs under Deno with the permissions in functions.ts. Only a bundle needs read
// access, to its own folder: Deno loads what imports name without it.
import { errorAnswer } from '../supabase/functions/_shared/http/http.ts'
import api from '../supabase/functions/api/index.ts'
import calendar from '../supabase/functions/calendar/index.ts'
import channels from '../supabase/functions/channels/index.ts'
import files from '../supabase/functions/files/index.ts'
import garage from '../supabase/functions/garage/index.ts'
import rideYears from '../supabase/functions/ride-years/index.ts'
import maintenanceUse from '../supabase/functions/maintenance-use/index.ts'
import partLifetimes from '../supabase/functions/part-lifetimes/index.ts'
import rideChanges from '../supabase/functions/ride-changes/index.ts'
import serviceDue from '../supabase/functions/service-due/index.ts'
import spending from '../supabase/functions/spending/index.ts'
import toCheck from '../supabase/functions/to-check/index.ts'
import updateRides, { tokenMemory } from '../supabase/functions/update-rides/index.ts'

const FUNCTIONS = new Map([
  ['api', api],
  ['calendar', calendar],
  ['channels', channels],
  ['files', files],
  ['garage', garage],
  ['ride-years', rideYears],
  ['maintenance-use', maintenanceUse],
  // Evaluated with the first request: its SDK needs 26 MB.
  [
    'mcp',
    {
      fetch: async (request: Request) =>
        (await import('../supabase/functions/mcp/index.ts')).default.fetch(request),
    },
  ],
  ['part-lifetimes', partLifetimes],
  ['ride-changes', rideChanges],
  ['service-due', serviceDue],
  ['spending', spending],
  ['to-check', toCheck],
  ['update-rides', updateRides],
])

// This process exits when idle, so the stack passes the Ride with GPS token on to the next one.
tokenMemory.onChange = (token) => console.log(JSON.stringify({ token }))

Deno.serve(
  {
    hostname: '127.0.0.1',
    port: 0,
    onListen: ({ port }) => console.log(JSON.stringify({ listening: port })),
  },
  (request) => {
    // As on Supabase, a function also receives requests to subpaths.
    const [name = ''] = new URL(request.url).pathname.replace('/functions/v1/', '').split('/')
    const handler = FUNCTIONS.get(name)
    return handler ? handler.fetch(request) : errorAnswer('unknown_function')
  },
)

// Exit when stdin closes, which also happens if the parent process is killed.
for await (const _ of Deno.stdin.readable);
Deno.exit(0)
