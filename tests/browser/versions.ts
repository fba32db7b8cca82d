import { createServer } from 'node:http'
import { once } from 'node:events'
import { glob, readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { buildClient } from '../../embedded/client.ts'

/** A built client's files by path. */
export type Version = ReadonlyMap<string, Buffer>

export async function builtVersion(): Promise<Version> {
  const folder = await buildClient()
  const files = (await Array.fromAsync(glob('**/*.*', { cwd: folder }))).map(
    async (file) =>
      [file === 'index.html' ? '/' : `/${file}`, await readFile(path.join(folder, file))] as const,
  )
  return new Map(await Promise.all(files))
}

export function nextVersion(version: Version, name: string): Version {
  const entry = entryOf(version)
  const change = (text: string) =>
    text
      .replaceAll(path.basename(entry), `index-${name}.js`)
      .replace(/<title>[^<]*/, `<title>${name}`)
      .replace(/"version":"\w+"/, `"version":"${name}"`)
  return new Map(
    [...version].map(([file, body]) =>
      /\.(?:js|html)$|^\/$/.test(file) ? [change(file), Buffer.from(change(body.toString()))] : [file, body],
    ),
  )
}

export function entryOf(version: Version): string {
  return [
    ...version
      .get('/')!
      .toString()
      .matchAll(/<script[^>]* src="([^"]+)"/g),
  ].at(-1)![1]!
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** Serves a version of the client. Serving undefined simulates an outage. */
export async function startHost(first: Version) {
  let served: Version | undefined = first
  const config = { publishableKey: 'key', rwgpsUrl: 'http://127.0.0.1:9', sample: true }
  const server = createServer(({ url = '/' }, response) => {
    if (!served) {
      response.destroy()
      return
    }
    const body =
      url === '/config.json' ? JSON.stringify({ ...config, supabaseUrl: origin() }) : served.get(url)
    const type = TYPES[path.extname(url)] ?? 'text/html'
    response.writeHead(body ? 200 : 404, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
  }).listen(0, '127.0.0.1')
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await once(server, 'listening')
  return {
    url: origin(),
    serve(version: Version | undefined) {
      served = version
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
