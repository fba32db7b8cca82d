import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
}

/** Serves a folder with the headers from its `_headers` file, like Netlify and Cloudflare Pages. */
export async function startStaticHost(folder: string) {
  const headersOf = readHeadersFile(await readFile(path.join(folder, '_headers'), 'utf8'))
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://origin')
    const file = pathname === '/' ? '/index.html' : pathname
    const content = await readFile(path.join(folder, file)).catch(() => undefined)
    response.writeHead(content ? 200 : 404, {
      'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
      ...headersOf(pathname),
    })
    response.end(content)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  }
}

/** Returns a function that merges a path's headers from all matching rules. */
export function readHeadersFile(text: string): (pathname: string) => Record<string, string> {
  const rules = text
    .trim()
    .split('\n\n')
    .map((block) => {
      const [pattern, ...lines] = block.split('\n')
      return {
        pattern: pattern!,
        lines: lines.map((line) => line.trim().split(/: (.*)/) as [string, string]),
      }
    })
  return (pathname) =>
    joined(rules.filter(({ pattern }) => matches(pattern, pathname)).flatMap(({ lines }) => lines))
}

export function readVercelFile(text: string): (pathname: string) => Record<string, string> {
  const { headers } = JSON.parse(text) as {
    headers: { source: string; headers: { key: string; value: string }[] }[]
  }
  return (pathname) =>
    joined(
      headers
        .filter(({ source }) => matches(source.replace('(.*)', '*'), pathname))
        .flatMap((rule) => rule.headers.map(({ key, value }): [string, string] => [key, value])),
    )
}

const matches = (pattern: string, pathname: string) =>
  pattern.endsWith('*') ? pathname.startsWith(pattern.slice(0, -1)) : pathname === pattern

function joined(lines: [string, string][]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of lines) headers[name] = headers[name] ? `${headers[name]}, ${value}` : value
  return headers
}
