import { getRequestListener } from '@hono/node-server'
import {
  createServer,
  preview,
  type Connect,
  type InlineConfig,
  type Plugin,
  type PreviewOptions,
  type ProxyOptions,
} from 'vite'
import { publicFiles } from '../hosting/build.ts'
import { cacheControl, securityHeaders } from '../hosting/headers.ts'
import { builtClient } from './client.ts'

export interface WebParts {
  port: number
  dev: boolean
  /** Auth and the data API. */
  api: { fetch(request: Request): Response | Promise<Response> }
  /** Where the functions listen. */
  functionsUrl: string
  /** What the client reads at its start. */
  config: { supabaseUrl: string; publishableKey: string; rwgpsUrl: string; sample: boolean }
}

const HOST = '127.0.0.1'

/** Serves the client, Auth, the data API and the functions on one origin; returns how to stop. */
export async function startWeb(parts: WebParts): Promise<() => Promise<void>> {
  const server = {
    host: HOST,
    port: parts.port,
    strictPort: true,
    proxy: proxyTo(parts.functionsUrl),
    // Vite would answer every preflight itself, and let other pages of this machine read everything.
    cors: false,
  }
  const running = await keepingSignals<{ close(): Promise<void> }>(() =>
    parts.dev ? develop({ server, plugins: [supabasePlugin(parts)] }) : serveBuilt(server, parts),
  )
  return () => running.close()
}

// What Vite may hand out. Unless told, that is the whole project, in which the data folder lies with its keys.
const CLIENT = ['index.html', 'public', 'src', 'node_modules']

async function develop(config: InlineConfig) {
  const server = await createServer({
    ...config,
    server: { ...config.server, fs: { allow: CLIENT } },
    logLevel: 'warn',
  })
  return server.listen()
}

async function serveBuilt(server: PreviewOptions, parts: WebParts) {
  const outDir = await builtClient()
  const plugins = [headersPlugin(await publicFiles(outDir), parts), supabasePlugin(parts)]
  return preview({ configFile: false, logLevel: 'warn', build: { outDir }, preview: server, plugins })
}

/** Vite would end the process by itself on SIGTERM, before the database is closed. */
async function keepingSignals<T>(start: () => Promise<T>): Promise<T> {
  const before = process.listeners('SIGTERM')
  const started = await start()
  for (const listener of process.listeners('SIGTERM')) {
    if (!before.includes(listener)) process.off('SIGTERM', listener)
  }
  return started
}

function proxyTo(functionsUrl: string): Record<string, ProxyOptions> {
  return { '/functions/v1': { target: functionsUrl } }
}

/** Every answer carries the headers, whoever gives it. */
function headersPlugin(files: string[], { config: { rwgpsUrl } }: WebParts): Plugin {
  const headers = Object.entries(securityHeaders({ rwgpsUrl }))
  const paths = new Set(files.map((file) => `/${file}`))
  return {
    name: 'embedded-headers',
    configurePreviewServer(server) {
      server.middlewares.use((request, response, next) => {
        const pathname = pathOf(request)
        for (const [name, value] of headers) response.setHeader(name, value)
        // What is not there is answered too, and is not to be kept.
        if (paths.has(pathname)) response.setHeader('cache-control', cacheControl(pathname))
        next()
      })
    },
  }
}

// Not resolved against an origin: what begins with two slashes would be taken for a host.
function pathOf({ url = '/' }: Connect.IncomingMessage): string {
  return new URL(`http://origin${url}`).pathname
}

function supabasePlugin({ api, config }: WebParts): Plugin {
  const answer = getRequestListener((request) => api.fetch(request))
  const middleware: Connect.NextHandleFunction = (request, response, next) => {
    const pathname = pathOf(request)
    if (pathname === '/config.json') {
      response.setHeader('content-type', 'application/json').setHeader('cache-control', 'no-store')
      response.end(JSON.stringify(config))
    } else if (/^\/(?:auth|rest)\/v1(?:\/|$)/.test(pathname)) {
      answer(request, response).catch(next)
    } else {
      next()
    }
  }
  return {
    name: 'embedded-supabase',
    configureServer: (server) => void server.middlewares.use(middleware),
    configurePreviewServer: (server) => void server.middlewares.use(middleware),
  }
}
