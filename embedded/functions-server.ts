// Serves the edge functions on one port for the embedded stack. Runs under Deno, with only these permissions:
//   --allow-net=127.0.0.1:0,<host and port of SUPABASE_URL>,<host and port of RWGPS_BASE_URL>
//   --allow-env=<the variables that the functions may read>
// It needs no disk access, since Deno loads static imports without permissions.
import { errorAnswer } from '../supabase/functions/_shared/http.ts'
import garage from '../supabase/functions/garage/index.ts'
import maintenanceUse from '../supabase/functions/maintenance-use/index.ts'
import partLifetimes from '../supabase/functions/part-lifetimes/index.ts'
import serviceDue from '../supabase/functions/service-due/index.ts'
import spending from '../supabase/functions/spending/index.ts'
import updateRides from '../supabase/functions/update-rides/index.ts'

const FUNCTIONS = new Map([
  ['/functions/v1/garage', garage],
  ['/functions/v1/maintenance-use', maintenanceUse],
  ['/functions/v1/part-lifetimes', partLifetimes],
  ['/functions/v1/service-due', serviceDue],
  ['/functions/v1/spending', spending],
  ['/functions/v1/update-rides', updateRides],
])

Deno.serve(
  {
    hostname: '127.0.0.1',
    port: 0,
    onListen: ({ port }) => console.log(JSON.stringify({ listening: port })),
  },
  (request) => {
    const handler = FUNCTIONS.get(new URL(request.url).pathname)
    return handler ? handler.fetch(request) : errorAnswer('unknown_function')
  },
)

// Exit when stdin closes, which also happens if the parent process is killed.
for await (const _ of Deno.stdin.readable);
Deno.exit(0)
