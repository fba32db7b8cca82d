import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { writeFile } from 'node:fs/promises'
import authConfig from './auth-config.json' with { type: 'json' }

export interface Upload {
  metadata: Record<string, unknown>
  /** File contents by path in the project. */
  files: Map<string, string>
}

interface Query {
  query: string
  read_only?: boolean
}

type Config = Record<string, unknown>

export interface ManagementApi {
  uploads: Map<string, Upload>
  secrets: Map<string, string>
  auth: Config
  api: Config
  writes: string[]
  /** The path of a CLI profile that uses this API. */
  profile: string
  close(): void
}

export const PUBLISHABLE_KEY = 'sb_publishable_of_the_project'

/** Fakes the Supabase API calls that deployments make. `query` runs SQL in the project's database. */
export async function startManagementApi(
  folder: string,
  query: (sql: string) => Promise<unknown> = async () => [],
): Promise<ManagementApi> {
  const uploads = new Map<string, Upload>()
  const secrets = new Map<string, string>()
  const writes: string[] = []
  // A new project's settings. The CLI expects every field in the response to a change.
  const auth: Config = { ...authConfig, site_url: 'http://localhost:3000', disable_signup: false }
  const api: Config = {
    db_schema: 'public,graphql_public',
    db_extra_search_path: 'public,extensions',
    max_rows: 1000,
    db_pool: null,
    db_pool_acquisition_timeout: null,
    db_pool_max_lifetime: null,
    db_pool_max_idletime: null,
  }

  const routes: Record<string, (body: Blob, type: string, url: URL) => Promise<unknown>> = {
    'GET api-keys': async () => [
      { name: 'anon', api_key: 'legacy', type: 'legacy' },
      { name: 'default', api_key: PUBLISHABLE_KEY, type: 'publishable' },
      { name: 'default', api_key: 'sb_secret_hidden', type: 'secret' },
    ],
    'GET secrets': async () => [...secrets.keys()].map((name) => ({ name, value: 'digest' })),
    'POST secrets': async (body) => {
      const given = JSON.parse(await body.text()) as { name: string; value: string }[]
      for (const { name, value } of given) secrets.set(name, value)
    },
    'GET billing/addons': async () => ({ selected_addons: [], available_addons: [] }),
    'GET config': async () => ({ data: { type: 'project_config', attributes: { auth, api } } }),
    'PATCH postgrest': async (body) => Object.assign(api, JSON.parse(await body.text())),
    'PATCH config/auth': async (body) => Object.assign(auth, JSON.parse(await body.text())),
    'POST database/query': async (body) => query((JSON.parse(await body.text()) as Query).query),
    'POST functions/deploy': async (body, type, url) => {
      const slug = url.searchParams.get('slug')!
      uploads.set(slug, await readUpload(body, type))
      const times = { created_at: 1, updated_at: 1 }
      return { id: slug, slug, name: slug, status: 'ACTIVE', version: 1, ...times }
    },
  }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://origin')
    const route = `${request.method} ${url.pathname.replace(/^\/v\d\/projects\/[a-z]{20}\//, '')}`
    const type = request.headers['content-type'] ?? 'text/plain'
    const body = await new Response(request as unknown as BodyInit, {
      headers: { 'content-type': type },
    }).blob()
    const isWrite = request.method !== 'GET'
    const isRead = type.includes('json') && (JSON.parse((await body.text()) || '{}') as Query).read_only
    if (isWrite && !isRead) writes.push(route)
    // Other lists, such as functions and network bans, are empty.
    const answer = routes[route] ?? (async () => [])
    const content = await answer(body, type, url).catch((error: Error) => error)
    response.writeHead(content instanceof Error ? 400 : isWrite && request.method === 'POST' ? 201 : 200, {
      'content-type': 'application/json',
    })
    response.end(JSON.stringify(content instanceof Error ? { message: content.message } : content))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const profile = path.join(folder, 'profile.yaml')
  await writeFile(
    profile,
    [`name: fake`, `api_url: ${url}`, `dashboard_url: ${url}`, `project_host: supabase.invalid`].join('\n'),
  )
  return { uploads, secrets, auth, api, writes, profile, close: () => server.close() }
}

async function readUpload(body: Blob, type: string): Promise<Upload> {
  const form = await new Response(body, { headers: { 'content-type': type } }).formData()
  const files = form.getAll('file') as File[]
  return {
    metadata: JSON.parse(form.get('metadata') as string),
    files: new Map(await Promise.all(files.map(async (file) => [file.name, await file.text()] as const))),
  }
}
