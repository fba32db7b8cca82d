import { once } from 'node:events'
import type { Server } from 'node:http'
import { createAdaptorServer, getRequestListener, type HttpBindings } from '@hono/node-server'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono } from 'hono'
import { publicFiles } from '../hosting/build.ts'
import { cacheControl, securityHeaders } from '../hosting/headers.ts'
import { compress } from './compress.ts'
import { callFunction, type Functions } from './functions.ts'
import { buildClient } from './client.ts'
import { isLoopback } from './port.ts'
import {
  callerAddress,
  isLocalName,
  listenOn,
  originOf,
  UNKNOWN_CALLER,
  unknownHost,
  type NetworkSettings,
} from './network.ts'
import { StartError } from './settings.ts'

export interface WebParts {
  network: NetworkSettings
  dev: boolean
  /** Auth and the data API. */
  api: { fetch(request: Request, caller: { address: string }): Promise<Response> }
  isDatabaseUp: () => Promise<boolean>
  functions: Pick<Functions, 'use'>
  /** The contents of the client's `config.json`, except for the origin. */
  config: {
    publishableKey: string
    rwgpsUrl: string
    sample: boolean
    vapidPublicKey: string
    isPackage?: boolean
    otherZoneRules?: boolean
  }
  /** Returns whether the sign-in screen may show the demo account's password. */
  hasDemoAccount: () => Promise<boolean>
  /** Tells the owner once about a proxy that is set up wrong. Later texts of the same kind are ignored. */
  warn: (text: string, kind?: string) => void
}

// The time that open requests have to finish when the server stops.
const GRACE_MS = 1000

// Reverse proxies reuse idle connections for up to two minutes. If the tracker closed one first, a request sent at that
// moment would fail.
const KEEP_ALIVE_MS = 150_000

/** Serves the client, Auth, the data API and the functions on one origin. Returns a function that stops the server. */
export async function startWeb(parts: WebParts): Promise<() => Promise<void>> {
  return parts.dev ? develop(parts) : listen(await createSite(parts), parts.network)
}

function createBackend(parts: WebParts) {
  const { network, api, functions, config, hasDemoAccount, warn } = parts
  const backend = new Hono<{ Bindings: HttpBindings }>()
  backend.get('/config.json', async (context) => {
    startEarly(functions)
    const host = context.req.header('host')
    const isLocal = isLocalName(host) && isLoopback(addressOf(context, network))
    const demoAccount = isLocal && config.sample && (await hasDemoAccount())
    const supabaseUrl = originOf(host, network)
    return context.json({ supabaseUrl, ...config, ...(demoAccount && { demoAccount }) }, 200, {
      'cache-control': 'no-store',
    })
  })
  backend.get('/healthz', async (context) => {
    const health = await checkHealth(parts)
    const isUp = Object.values(health).every(Boolean)
    return context.json(health, isUp ? 200 : 503, { 'cache-control': 'no-store' })
  })
  // Not Auth, because its responses contain tokens.
  for (const path of ['/rest/v1/*', '/functions/v1/*']) backend.use(path, compress)
  backend.use('/:service{auth|rest|functions}/v1/*', async ({ env }, next) => {
    env.outgoing.setHeader('cache-control', 'no-store')
    await next()
  })
  backend.on(['ALL'], ['/auth/v1/*', '/rest/v1/*'], (context) => {
    const address = addressOf(context, network)
    if (address === UNKNOWN_CALLER) warn(NO_CALLER)
    return api.fetch(context.req.raw, { address })
  })
  backend.all('/functions/v1/*', ({ req }) => callFunction(functions, req.raw))
  return backend
}

/** Starts the functions before the page needs them. */
function startEarly(functions: Pick<Functions, 'use'>): void {
  void functions.use(async () => undefined).catch(() => undefined)
}

function addressOf({ req, env }: Context<{ Bindings: HttpBindings }>, network: NetworkSettings): string {
  const remote = env.incoming.socket.remoteAddress ?? ''
  const origin = originOf(req.header('host'), network)
  return callerAddress(remote, req.header('x-forwarded-for'), { origin, publicUrl: network.publicUrl })
}

const NO_CALLER =
  "A proxy doesn't say for whom it asks, so all its callers share one limit for wrong passwords. Let it pass on the Host header and send X-Forwarded-For: see docs/home.md."

// Idle functions stop, and a slow machine needs some seconds to start them. The container's health check waits for 10 seconds.
const HEALTH_MS = 9000

async function checkHealth({ api, isDatabaseUp, functions, config }: WebParts) {
  const headers = { apikey: config.publishableKey }
  const [database, auth, areFunctionsUp] = await Promise.all([
    inTime(isDatabaseUp()),
    inTime(
      api.fetch(new Request('http://127.0.0.1/auth/v1/health', { headers }), { address: '' }).then(isOk),
    ),
    inTime(
      functions.use((url) =>
        fetch(`${url}/functions/v1/update-rides`, {
          method: 'OPTIONS',
          signal: AbortSignal.timeout(HEALTH_MS),
        }).then(isOk),
      ),
    ),
  ])
  return { database, auth, functions: areFunctionsUp }
}

const isOk = ({ ok }: Response) => ok

const inTime = (answer: Promise<boolean>) =>
  Promise.race([answer, sleep(HEALTH_MS, false, { ref: false })]).catch(() => false)

async function createSite(parts: WebParts) {
  const folder = await buildClient()
  const served = (await publicFiles(folder)).filter((file) => !/\.(?:br|gz)$/.test(file))
  const files = new Set(served.map((file) => `/${file}`)).add('/')
  const headers = Object.entries(securityHeaders({ rwgpsUrl: parts.config.rwgpsUrl }))
  const readFile = serveStatic({ root: folder, precompressed: true })

  const site = new Hono<{ Bindings: HttpBindings }>()
  site.use(async (context, next) => {
    const { outgoing } = context.env
    for (const [name, value] of headers) outgoing.setHeader(name, value)
    if (originOf(context.req.header('host'), parts.network) !== undefined) await next()
    else {
      const text = unknownHost(context.req.header('host'))
      parts.warn(text, 'host')
      context.res = context.text(text, 403)
    }
  })
  site.get('/', async (_, next) => {
    startEarly(parts.functions)
    await next()
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

async function listen(
  { fetch }: Hono<{ Bindings: HttpBindings }>,
  network: NetworkSettings,
): Promise<() => Promise<void>> {
  await using listening = new AsyncDisposableStack()
  for (const host of listenOn(network)) {
    const server = createAdaptorServer({ fetch }) as Server
    server.keepAliveTimeout = KEEP_ALIVE_MS
    server.listen(network.port, host)
    await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
      throw cannotListen(error, host, network.port)
    })
    listening.defer(async () => {
      const closed = once(server, 'close')
      server.close()
      setTimeout(() => server.closeAllConnections(), GRACE_MS).unref()
      await closed
    })
  }
  const all = listening.move()
  return () => all.disposeAsync()
}

export const portTaken = (port: number) =>
  new StartError(`Port ${port} is taken. Stop the program that uses it, or set PORT to another number.`)

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') return portTaken(port)
  if (error.code === 'EACCES')
    return new StartError(`PORT is ${port}, which needs special rights. Set it to a number above 1023.`)
  if (error.code === 'EADDRNOTAVAIL')
    return new StartError(`HOST is ${host}, which is not an address of this machine.`)
  return error
}

// The only files that Vite may serve, because the project folder also contains the data folder with its keys.
const CLIENT = ['index.html', 'public', 'src', 'node_modules']

/** Serves the client with hot reload. Imports Vite only here, since it needs 40 MB of memory. */
async function develop(parts: WebParts): Promise<() => Promise<void>> {
  const { createServer } = await import('vite')
  const answer = getRequestListener(createBackend(parts).fetch)
  // Vite's SIGTERM listener would exit the process before the database is closed.
  const listeners = process.listeners('SIGTERM')
  const server = await createServer({
    logLevel: 'warn',
    // Vite's CORS defaults would let other pages on this machine read everything.
    server: {
      host: '127.0.0.1',
      port: parts.network.port,
      strictPort: true,
      cors: false,
      fs: { allow: CLIENT },
    },
    plugins: [
      {
        name: 'tracker-backend',
        configureServer: ({ middlewares }) =>
          void middlewares.use((request, response, next) => {
            if (!/^\/(?:config\.json$|healthz$|(?:auth|rest|functions)\/v1(?:\/|$))/.test(request.url ?? ''))
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
