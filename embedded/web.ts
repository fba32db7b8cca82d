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
  /** Auth and the data API; `address` is the caller's. */
  api: { fetch(request: Request, caller: { address: string }): Promise<Response> }
  /** Where the functions listen. */
  functionsUrl: string
  /** What the client reads when it starts. */
  config: { supabaseUrl: string; publishableKey: string; rwgpsUrl: string; sample: boolean }
}

const HOST = '127.0.0.1'
const NAMES = new Set([HOST, 'localhost', '[::1]'])
// What is still running when the server stops has this long to end.
const GRACE_MS = 1000

/** Serves the client, Auth, the data API and the functions on one origin; returns how to stop. */
export async function startWeb(parts: WebParts): Promise<() => Promise<void>> {
  return parts.dev ? develop(parts) : listen(await createSite(parts), parts.port)
}

/** Everything but the client. */
function createBackend({ api, functionsUrl, config }: WebParts) {
  const backend = new Hono<{ Bindings: HttpBindings }>()
  backend.get('/config.json', (context) => context.json(config, 200, { 'cache-control': 'no-store' }))
  backend.on(['ALL'], ['/auth/v1/*', '/rest/v1/*'], ({ req, env }) =>
    api.fetch(req.raw, { address: env.incoming.socket.remoteAddress ?? '' }),
  )
  backend.all('/functions/v1/*', ({ req }) => proxy(`${functionsUrl}${req.path}`, req))
  return backend
}

/** The backend and the built client. */
async function createSite(parts: WebParts) {
  const folder = await builtClient()
  const files = new Set((await publicFiles(folder)).map((file) => `/${file}`)).add('/')
  const headers = Object.entries(securityHeaders({ rwgpsUrl: parts.config.rwgpsUrl }))
  const readFile = serveStatic({ root: folder })

  const site = new Hono<{ Bindings: HttpBindings }>()
  site.use(async (context, next) => {
    const { incoming, outgoing } = context.env
    for (const [name, value] of headers) outgoing.setHeader(name, value)
    // Another name that leads here would make this the same origin as somebody's page (DNS rebinding).
    if (NAMES.has(hostnameOf(context.req.header('host')))) await next()
    else context.res = context.text('Forbidden', 403)
    // A refusal may come before the body is read. The next request needs another connection then.
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

// Vite may only hand out these: the project's folder also holds the data folder with its keys.
const CLIENT = ['index.html', 'public', 'src', 'node_modules']

/** The client with hot reload. Vite is imported only here: it takes 40 MB of memory. */
async function develop(parts: WebParts): Promise<() => Promise<void>> {
  const { createServer } = await import('vite')
  const answer = getRequestListener(createBackend(parts).fetch)
  // Vite would end the process by itself on SIGTERM, before the database is closed.
  const listeners = process.listeners('SIGTERM')
  const server = await createServer({
    logLevel: 'warn',
    // Vite would answer every preflight itself, and let other pages of this machine read everything.
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
