import { once } from 'node:events'
import type { Server } from 'node:http'
import { createAdaptorServer, getRequestListener, type HttpBindings } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { proxy } from 'hono/proxy'
import { publicFiles } from '../hosting/build.ts'
import { cacheControl, securityHeaders } from '../hosting/headers.ts'
import { builtClient } from './client.ts'

export interface WebParts {
  port: number
  dev: boolean
  /** Auth and the data API; `address` is the caller's IP address. */
  api: { fetch(request: Request, caller: { address: string }): Promise<Response> }
  /** The URL of the functions server. */
  functionsUrl: string
  /** The contents of `config.json`, which the client reads when it starts. */
  config: { supabaseUrl: string; publishableKey: string; rwgpsUrl: string; sample: boolean }
  /** Whether the demo account's password is still the one that the sign-in screen may show. */
  hasDemoAccount: () => Promise<boolean>
}

const HOST = '127.0.0.1'
const NAMES = new Set([HOST, 'localhost', '[::1]'])
// Open requests have this long to finish when the server stops.
const GRACE_MS = 1000
const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Serves the client, Auth, the data API and the functions on one origin. Returns a function that stops it. */
export async function startWeb(parts: WebParts): Promise<() => Promise<void>> {
  return parts.dev ? develop(parts) : listen(await createSite(parts), parts.port)
}

/** Creates the app without the client. */
function createBackend({ api, functionsUrl, config, hasDemoAccount }: WebParts) {
  const backend = new Hono<{ Bindings: HttpBindings }>()
  backend.get('/config.json', async (context) => {
    const { remoteAddress = '' } = context.env.incoming.socket
    const isLocal = LOOPBACK.has(remoteAddress) && NAMES.has(hostnameOf(context.req.header('host')))
    const demoAccount = isLocal && config.sample && (await hasDemoAccount())
    return context.json({ ...config, ...(demoAccount && { demoAccount }) }, 200, {
      'cache-control': 'no-store',
    })
  })
  backend.on(['ALL'], ['/auth/v1/*', '/rest/v1/*'], ({ req, env }) =>
    api.fetch(req.raw, { address: env.incoming.socket.remoteAddress ?? '' }),
  )
  backend.all('/functions/v1/*', ({ req }) => proxy(`${functionsUrl}${req.path}`, req))
  return backend
}

/** Creates the app with the backend and the built client. */
async function createSite(parts: WebParts) {
  const folder = await builtClient()
  const files = new Set((await publicFiles(folder)).map((file) => `/${file}`)).add('/')
  const headers = Object.entries(securityHeaders({ rwgpsUrl: parts.config.rwgpsUrl }))
  const readFile = serveStatic({ root: folder })

  const site = new Hono<{ Bindings: HttpBindings }>()
  site.use(async (context, next) => {
    const { incoming, outgoing } = context.env
    for (const [name, value] of headers) outgoing.setHeader(name, value)
    // Reject other host names: DNS rebinding could make this the same origin as another website.
    if (NAMES.has(hostnameOf(context.req.header('host')))) await next()
    else context.res = context.text('Forbidden', 403)
    // If the body wasn't read, the connection can't be reused for the next request.
    if (!incoming.complete) outgoing.setHeader('connection', 'close')
  })
  site.route('/', createBackend(parts))
  site.get('*', async (context, next) => {
    if (!files.has(context.req.path)) return context.notFound()
    context.header('cache-control', cacheControl(context.req.path))
    return readFile(context, next)
  })
  site.notFound((context) => context.text('Not found', 404, { 'cache-control': 'no-cache' }))
  return site
}

const hostnameOf = (host = '') => host.replace(/:\d+$/, '')

async function listen(site: Hono<{ Bindings: HttpBindings }>, port: number): Promise<() => Promise<void>> {
  const server = createAdaptorServer({ fetch: site.fetch }) as Server
  server.listen(port, HOST)
  await once(server, 'listening')
  return async () => {
    const closed = once(server, 'close')
    server.close()
    setTimeout(() => server.closeAllConnections(), GRACE_MS).unref()
    await closed
  }
}

// Vite may only serve these: the project folder also contains the data folder with its keys.
const CLIENT = ['index.html', 'public', 'src', 'node_modules']

/** Serves the client with hot reload. Imports Vite only here, since it needs 40 MB of memory. */
async function develop(parts: WebParts): Promise<() => Promise<void>> {
  const { createServer } = await import('vite')
  const answer = getRequestListener(createBackend(parts).fetch)
  // Vite would exit the process on SIGTERM before the database is closed.
  const listeners = process.listeners('SIGTERM')
  const server = await createServer({
    logLevel: 'warn',
    // Vite's CORS would let other pages on this machine read everything.
    server: { host: HOST, port: parts.port, strictPort: true, cors: false, fs: { allow: CLIENT } },
    plugins: [
      {
        name: 'tracker-backend',
        configureServer: ({ middlewares }) =>
          void middlewares.use((request, response, next) => {
            if (!/^\/(?:config\.json$|(?:auth|rest|functions)\/v1(?:\/|$))/.test(request.url ?? ''))
              return next()
            return answer(request, response)
          }),
      },
    ],
  })
  await server.listen()
  for (const listener of process.listeners('SIGTERM')) {
    if (!listeners.includes(listener)) process.off('SIGTERM', listener)
  }
  return () => server.close()
}
