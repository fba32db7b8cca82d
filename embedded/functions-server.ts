// Serves the edge functions to the embedded stack. Runs under Deno with the permissions in functions.ts. Only a bundle needs read
// access, to its own folder: Deno loads what imports name without it.
import { errorAnswer } from '../supabase/functions/_shared/http/http.ts'
import updateRides, { tokenMemory } from '../supabase/functions/update-rides/index.ts'

interface Handler {
  fetch(request: Request): Response | Promise<Response>
}

// Loads each function with its first request, so a start takes a third less CPU time. Checks of health and the schedule only need
// `update-rides`.
const FUNCTIONS: Record<string, (() => Promise<{ default: Handler }>) | undefined> = {
  api: () => import('../supabase/functions/api/index.ts'),
  calendar: () => import('../supabase/functions/calendar/index.ts'),
  channels: () => import('../supabase/functions/channels/index.ts'),
  files: () => import('../supabase/functions/files/index.ts'),
  garage: () => import('../supabase/functions/garage/index.ts'),
  'maintenance-use': () => import('../supabase/functions/maintenance-use/index.ts'),
  mcp: () => import('../supabase/functions/mcp/index.ts'),
  'part-lifetimes': () => import('../supabase/functions/part-lifetimes/index.ts'),
  'ride-changes': () => import('../supabase/functions/ride-changes/index.ts'),
  'ride-years': () => import('../supabase/functions/ride-years/index.ts'),
  'service-due': () => import('../supabase/functions/service-due/index.ts'),
  spending: () => import('../supabase/functions/spending/index.ts'),
  'to-check': () => import('../supabase/functions/to-check/index.ts'),
  'update-rides': async () => ({ default: updateRides }),
}

// This process exits when idle, so the stack passes the Ride with GPS token on to the next one.
tokenMemory.onChange = (token) => console.log(JSON.stringify({ token }))

Deno.serve(
  {
    hostname: '127.0.0.1',
    port: 0,
    onListen: ({ port }) => console.log(JSON.stringify({ listening: port })),
  },
  async (request) => {
    // As on Supabase, a function also receives requests to subpaths.
    const [name = ''] = new URL(request.url).pathname.replace('/functions/v1/', '').split('/')
    const load = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
    return load ? (await load()).default.fetch(request) : errorAnswer('unknown_function')
  },
)

// Exit when stdin closes, which also happens if the parent process is killed.
for await (const _ of Deno.stdin.readable);
Deno.exit(0)
