// Runs the documented lines of each reverse proxy, and its defaults, in front of a tracker.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../../embedded/installation.ts'
import { freePort, isPortFree } from '../../embedded/port.ts'
import { prepareSample, startPrepared } from '../postgres.ts'
import { type Running, temporaryFolder } from '../running.ts'
import { isInstalled } from '../servers.ts'

const PAGE = await readFile(path.join(ROOT, 'docs/home.md'), 'utf8')

/** Returns the page's block in a language, without its indentation, for the tracker's port. */
function documented(language: string, port: string): string {
  const [, block] = new RegExp(`^ *\`\`\`${language}\n(.*?)^ *\`\`\``, 'ms').exec(PAGE)!
  expect(block).toContain('127.0.0.1:5173')
  return block!.replaceAll('127.0.0.1:5173', `127.0.0.1:${port}`)
}

let stack: Running
let port: string
let proxyPort: number
let folder: string
const stops: (() => unknown)[] = []
beforeAll(async () => {
  proxyPort = await freePort()
  const settings = {
    OWNER_PASSWORD: 'a longer password',
    PUBLIC_URL: `http://tracker.example.com:${proxyPort}`,
  }
  stack = await startPrepared(await prepareSample(), settings)
  port = new URL(stack.url).port
})
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})
afterAll(() => stack.stop())

const PROXIES = {
  nginx: {
    program: 'nginx',
    keepsHost: false,
    file: (lines: string) => `daemon off; user root; error_log stderr; pid ${folder}/pid; events {}
http {
  access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  server { listen 127.0.0.1:${proxyPort};
${lines} }
}`,
    args: (file: string) => ['-c', file, '-e', 'stderr'],
    defaults: () => `location / { proxy_pass http://127.0.0.1:${port}; }`,
  },
  apache: {
    program: 'apache2',
    keepsHost: false,
    file: (lines: string) => `ServerRoot ${folder}
ServerName localhost
PidFile ${folder}/pid
Listen 127.0.0.1:${proxyPort}
User nobody
Group nogroup
ErrorLog ${folder}/log
${['mpm_event', 'authz_core', 'proxy', 'proxy_http'].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
<VirtualHost *:${proxyPort}>
${lines}
</VirtualHost>`,
    args: (file: string) => ['-D', 'FOREGROUND', '-f', file],
    defaults: () => `ProxyPass / http://127.0.0.1:${port}/`,
  },
  haproxy: {
    program: 'haproxy',
    keepsHost: true,
    file: (lines: string) => `defaults
  mode http
  timeout connect 5s
  timeout client 160s
  timeout server 160s
frontend public
  bind 127.0.0.1:${proxyPort}
  default_backend tracker
${lines}`,
    args: (file: string) => ['-f', file, '-db'],
    defaults: () => `backend tracker\n  server tracker 127.0.0.1:${port}`,
  },
}

type Proxy = Pick<(typeof PROXIES)['nginx'], 'program' | 'file' | 'args'>

async function startProxy({ program, file, args }: Proxy, lines: string): Promise<void> {
  const temporary = await temporaryFolder()
  ;({ folder } = temporary)
  const name = path.join(folder, 'conf')
  await writeFile(name, `${file(lines)}\n`)
  const child = spawn(program, args(name), { stdio: ['ignore', 'ignore', 'pipe'] })
  const printed: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => printed.push(text))
  const exited = once(child, 'exit')
  stops.push(temporary.remove, async () => {
    child.kill('SIGTERM')
    await exited
  })
  while (await isPortFree(proxyPort)) {
    if (child.exitCode !== null) throw new Error(`${program} exited:\n${printed.join('')}`)
    await sleep(50)
  }
}

async function send(to: string, headers: OutgoingHttpHeaders = {}, body = '') {
  const host = `tracker.example.com:${proxyPort}`
  const options = { port: proxyPort, path: to, method: body ? 'POST' : 'GET', headers: { host, ...headers } }
  const sent = request(options).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode, text: (await response.toArray()).join('') }
}

const config = async () => JSON.parse((await send('/config.json')).text)

describe.each(Object.entries(PROXIES))('%s', (language, proxy) => {
  test.skipIf(!isInstalled(proxy.program))(
    'works with the documented lines (needs the program)',
    async () => {
      await startProxy(proxy, documented(language, port))
      const { supabaseUrl, publishableKey, demoAccount } = await config()
      expect([supabaseUrl, demoAccount]).toEqual([`http://tracker.example.com:${proxyPort}`, undefined])
      const json = { apikey: publishableKey, 'content-type': 'application/json' }
      const credentials = JSON.stringify({ email: 'owner@example.com', password: 'a longer password' })
      const signedIn = await send('/auth/v1/token?grant_type=password', json, credentials)
      expect(signedIn.status).toBe(200)
      // The proxy named its caller.
      expect(stack.output()).not.toContain("A proxy doesn't say")
      const authorization = `Bearer ${JSON.parse(signedIn.text).access_token}`
      const large = JSON.stringify({ items: 'x'.repeat(15 * 2 ** 20) })
      expect((await send('/rest/v1/rpc/unknown', { ...json, authorization }, large)).status).toBe(404)
    },
  )

  test.skipIf(!isInstalled(proxy.program))('says what is wrong with its defaults', async () => {
    await startProxy(proxy, proxy.defaults())
    const { supabaseUrl } = await config()
    // The page compares this with its own address.
    expect(supabaseUrl).toBe(proxy.keepsHost ? `http://tracker.example.com:${proxyPort}` : stack.url)
  })
})

test.skipIf(!isInstalled('haproxy'))('reports a proxy that keeps the host but names no caller', async () => {
  await startProxy(PROXIES.haproxy, PROXIES.haproxy.defaults())
  await send('/auth/v1/settings')
  await expect.poll(() => stack.output()).toContain("A proxy doesn't say for whom it asks")
})

test.skipIf(!isInstalled('caddy'))('Caddy works with its defaults (needs the program)', async () => {
  const from = `http://tracker.example.com:${proxyPort}`
  expect(PAGE).toContain('caddy reverse-proxy --from tracker.example.com --to 127.0.0.1:5173')
  const caddy = {
    program: 'caddy',
    // Without the admin API, whose port is fixed, and without a certificate.
    file: () => `{\n  admin off\n}\n${from} {\n  reverse_proxy 127.0.0.1:${port}\n}`,
    args: (file: string) => ['run', '--adapter', 'caddyfile', '--config', file],
  }
  await startProxy(caddy, '')
  expect(await config()).toMatchObject({ supabaseUrl: from })
})
