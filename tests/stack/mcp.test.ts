import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../supabase/functions/_shared/commands/index.ts'
import { JPEG, WEBP } from '../../supabase/functions/_shared/files/testing.ts'
import { createToken } from '../../supabase/functions/_shared/http/tokens.ts'
import { type OwnerClient, signIn } from '../owner.ts'
import { startSample } from '../postgres.ts'
import type { Running } from '../running.ts'
import { addPicture } from './api-client.ts'
import { type Run, tryOperations } from './operations.ts'

const TOOLS = COMMANDS.filter(({ say }) => say)
const READS = TOOLS.filter(({ isWrite }) => !isWrite).map(({ name }) => name)

let tracker: Running
let owner: OwnerClient
beforeAll(async () => {
  tracker = await startSample()
  owner = await signIn(tracker.url)
})
afterAll(() => tracker.stop())

async function create(scope: 'read' | 'read and write'): Promise<{ id: number; token: string }> {
  const token = createToken()
  const { data, error } = await owner.rpc('create_token', { token, name: 'Assistant', scope, days: 90 })
  if (error) throw error
  return { id: data, token }
}

/** `legacy` opens with a handshake, as clients of the SDK's first version do. */
type Era = 'legacy' | { pin: string }

const connect = async (token: string, mode: Era = { pin: '2026-07-28' }): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const url = new URL(`${tracker.url}/functions/v1/mcp`)
  await client.connect(
    new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    }),
  )
  return client
}

const api = async (token: string, path: string) => {
  const headers = { Authorization: `Bearer ${token}` }
  return (await fetch(`${tracker.url}/functions/v1/api/v1/${path}`, { headers })).json()
}

async function call(client: Client, name: string, input: object = {}) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...input } })
  const texts = content.map((part) => (part.type === 'text' ? part.text : part.type))
  // eslint-disable-next-line typescript/no-explicit-any -- each test knows the answer
  return { texts, answer: structuredContent as any, isError: isError ?? false }
}

describe.each<[string, Era]>([
  ['the revision of 2026-07-28', { pin: '2026-07-28' }],
  ['a revision with a handshake', 'legacy'],
])('in %s', (_revision, era) => {
  test('a token that may write gets every tool, and one that reads only the reads', async () => {
    const both = await connect((await create('read and write')).token, era)
    const { tools } = await both.listTools()
    expect(tools.map(({ name }) => name).toSorted()).toEqual(TOOLS.map(({ name }) => name).toSorted())
    for (const { name, title, description, annotations, inputSchema, outputSchema } of tools) {
      expect([name, annotations]).toEqual([
        name,
        {
          readOnlyHint: READS.includes(name),
          destructiveHint: name.startsWith('remove_'),
          idempotentHint: !['replace_part', 'rotate', 'add_measurement', 'add_entry', 'add_task'].includes(
            name,
          ),
          openWorldHint: false,
        },
      ])
      expect(title).toMatch(/^[A-Z].*\w$/)
      expect(description).toMatch(/\.$/)
      expect(Object.keys(outputSchema?.properties ?? {})).toContain('units')
      for (const field of Object.values(inputSchema.properties ?? {}))
        expect(field).toMatchObject({ description: expect.stringMatching(/\.$/) as string })
    }
    const reader = await connect((await create('read')).token, era)
    expect((await reader.listTools()).tools.map(({ name }) => name).toSorted()).toEqual(READS.toSorted())
    await expect(reader.callTool({ name: 'mark_done', arguments: { id: 1 } })).rejects.toThrow(/mark_done/)
  })

  test('answers with the JSON of the API, and says it in a line per task', async () => {
    const { token } = await create('read')
    const client = await connect(token, era)
    const { texts, answer } = await call(client, 'list_due')
    expect(answer).toEqual(await api(token, 'due'))
    expect(JSON.parse(texts[1]!)).toEqual(answer)
    const [first] = answer.tasks
    expect(texts[0]!.split('\n')).toHaveLength(answer.tasks.length)
    expect(texts[0]).toContain(`${first.name} (${first.part}, ${first.bike}): ${first.state}`)
  })
})

test('names the version of the tracker', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  const client = await connect((await create('read')).token)
  expect(client.getServerVersion()).toMatchObject({ version })
})

test('every tool answers with what it promises, does what it says, and can be undone, with null for what is not sent', async () => {
  const { token } = await create('read and write')
  const client = await connect(token)
  // The client rejects an answer that breaks the tool's schema.
  const { tools } = await client.listTools()
  // As hosts that make schemas strict, which require every field.
  const unsent = new Map(
    tools.map(({ name, inputSchema: { properties = {} } }) => [
      name,
      Object.fromEntries(Object.keys(properties).map((field) => [field, null])),
    ]),
  )
  const names = TOOLS.map(({ name }) => name)
  const run: Run = async (name, input) => {
    const { answer, texts, isError } = await call(client, name, { ...unsent.get(name), ...input })
    const said = answer.change && name !== 'undo' ? new RegExp(answer.change) : /\S/
    expect([name, isError, texts[0]]).toEqual([name, false, expect.stringMatching(said)])
    return answer
  }
  const addFile = (entry: number) => addPicture(tracker.url, token, entry)
  expect((await tryOperations(run, names, addFile)).toSorted()).toEqual(
    names.filter((name) => name !== 'undo').toSorted(),
  )
})

test('shows a picture of up to 1 MB, and otherwise its thumbnail', async () => {
  const { token } = await create('read and write')
  const client = await connect(token)
  const entry = (await api(token, 'log')).entries[0].id
  const show = async (id: number) => (await client.callTool({ name: 'get_file', arguments: { id } })).content
  const picture = await addPicture(tracker.url, token, entry)
  const shown = { type: 'image', data: Buffer.from(WEBP).toString('base64'), mimeType: 'image/webp' }
  expect(await show(picture)).toEqual([{ type: 'text', text: 'Photo.webp (image/webp)' }, shown])
  const session = (await owner.auth.getSession()).data.session!.access_token
  const scan = new Uint8Array(2 ** 20).fill(1)
  const body = new Blob([WEBP, JPEG.subarray(0, -2), scan, JPEG.subarray(-2)] as BlobPart[])
  const query = `item_id=${entry}&key=${randomUUID()}&thumbnail=${WEBP.length}`
  const headers = { authorization: `Bearer ${session}` }
  const added = await fetch(`${tracker.url}/functions/v1/files?${query}`, { method: 'POST', headers, body })
  const { file_id } = (await added.json()) as { file_id: number }
  expect((await show(file_id))[1]).toEqual(shown)
})

test('an error says what to change, and changes nothing', async () => {
  const { token } = await create('read and write')
  const client = await connect(token)
  const before = await api(token, 'tasks')
  expect(await call(client, 'mark_done', { id: 999_999 })).toMatchObject({
    isError: true,
    texts: ['No task has this id. It may have been removed.'],
  })
  const { id } = before.tasks[0]
  expect(await call(client, 'mark_done', { id, day: '2024-02-30' })).toMatchObject({
    isError: true,
    texts: [expect.stringContaining('This day does not exist.')],
  })
  expect(await api(token, 'tasks')).toEqual(before)
})

test('refuses a wrong or revoked token at once', async () => {
  await expect(connect(createToken(), 'legacy')).rejects.toThrow('unauthorized')
  const { id, token } = await create('read')
  const client = await connect(token)
  await client.listTools()
  await owner.rpc('revoke_token', { token_id: id })
  await expect(client.callTool({ name: 'list_due', arguments: {} })).rejects.toThrow('unauthorized')
  const response = await fetch(`${tracker.url}/functions/v1/mcp`, { method: 'POST', body: '{}' })
  expect([response.status, await response.json()]).toMatchObject([401, { code: 'unauthorized' }])
  expect(response.headers.get('www-authenticate')).toBe('Bearer')
})
