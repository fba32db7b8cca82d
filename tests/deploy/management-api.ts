import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { writeFile } from 'node:fs/promises'

export interface Upload {
  metadata: Record<string, unknown>
  /** File contents by path in the project. */
  files: Map<string, string>
}

/** A fake of the Supabase API calls that `functions deploy` makes. Stores uploads by function. */
export async function startManagementApi(folder: string) {
  const uploads = new Map<string, Upload>()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://origin')
    const slug = url.searchParams.get('slug')
    const body = await new Response(request as unknown as BodyInit, {
      headers: { 'content-type': request.headers['content-type'] ?? 'text/plain' },
    }).blob()
    response.setHeader('content-type', 'application/json')
    if (slug === null) return response.end('[]')
    uploads.set(slug, await readUpload(body, request.headers['content-type']!))
    response.statusCode = 201
    const deployed = {
      id: slug,
      slug,
      name: slug,
      status: 'ACTIVE',
      version: 1,
      created_at: 1,
      updated_at: 1,
    }
    return response.end(JSON.stringify(deployed))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const profile = path.join(folder, 'profile.yaml')
  await writeFile(
    profile,
    [`name: fake`, `api_url: ${url}`, `dashboard_url: ${url}`, `project_host: supabase.invalid`].join('\n'),
  )
  return { uploads, profile, close: () => server.close() }
}

async function readUpload(body: Blob, type: string): Promise<Upload> {
  const form = await new Response(body, { headers: { 'content-type': type } }).formData()
  const files = form.getAll('file') as File[]
  return {
    metadata: JSON.parse(form.get('metadata') as string),
    files: new Map(await Promise.all(files.map(async (file) => [file.name, await file.text()] as const))),
  }
}
