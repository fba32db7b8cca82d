// Both edge functions behind one port, for the embedded stack. Deno runs this, not Node, and needs no more for it than
//   --allow-net=127.0.0.1:0,<host and port of SUPABASE_URL>,<host and port of RWGPS_BASE_URL>
//   --allow-env=<the variables that the functions may read, set or not>
// and nothing of the disk: what they import is loaded before permissions matter.
import { errorAnswer } from '../supabase/functions/_shared/http.ts'
import maintenanceUse from '../supabase/functions/maintenance-use/index.ts'
import updateRides from '../supabase/functions/update-rides/index.ts'

const FUNCTIONS = new Map([
  ['/functions/v1/maintenance-use', maintenanceUse],
  ['/functions/v1/update-rides', updateRides],
])

Deno.serve(
  {
    hostname: '127.0.0.1',
    port: 0,
    onListen: ({ port }) => console.log(JSON.stringify({ listening: port })),
  },
  (request) => {
    const served = FUNCTIONS.get(new URL(request.url).pathname)
    return served ? served.fetch(request) : errorAnswer('unknown_function')
  },
)

// The parent holds the other end of stdin: when that closes, also because the parent was killed, this ends too.
for await (const _ of Deno.stdin.readable);
Deno.exit(0)
