import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../supabase/functions/_shared/commands/index.ts'
import { createToken } from '../../supabase/functions/_shared/tokens.ts'
import { type OwnerClient, signIn } from '../owner.ts'
import { startSample } from '../postgres.ts'
import type { Running } from '../running.ts'

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
          idempotentHint: !['replace_part', 'add_measurement', 'add_entry', 'add_task'].includes(name),
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

  test('marks a task done, and undoes that', async () => {
    const { token } = await create('read and write')
    const client = await connect(token, era)
    const before = await api(token, 'tasks')
    const { id } = before.tasks[0]
    const { answer, texts } = await call(client, 'mark_done', { id })
    expect(texts[0]).toContain(answer.change)
    expect((await api(token, 'tasks')).tasks.find((task: { id: number }) => task.id === id).state).toBe('ok')
    expect((await call(client, 'undo', { change: answer.change })).texts[0]).toBe('Undone.')
    expect(await api(token, 'tasks')).toEqual(before)
  })
})

test('names the version of the tracker', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  const client = await connect((await create('read')).token)
  expect(client.getServerVersion()).toMatchObject({ version })
})

test('every reading tool answers with what it promises', async () => {
  const client = await connect((await create('read')).token)
  // The client rejects an answer that breaks the tool's schema.
  await client.listTools()
  const [{ id }] = (await call(client, 'list_tasks')).answer.tasks
  for (const name of READS) {
    const input = name === 'task_history' ? { id } : {}
    const { texts, isError } = await call(client, name, { ...input, units: 'km' })
    expect([name, isError, texts[0]!.length > 0]).toEqual([name, false, true])
  }
})

const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)

describe('what a rider says', () => {
  let client: Client
  let before: object[]
  beforeAll(async () => {
    client = await connect((await create('read and write')).token)
    await client.listTools()
    before = await everything()
  })

  const ask = async (name: string, input: object = {}) => {
    const { answer, isError, texts } = await call(client, name, input)
    expect([name, isError, texts[0]]).toEqual([name, false, expect.stringMatching(/\S/)])
    return answer
  }
  const everything = () =>
    Promise.all([
      ask('list_entries', { limit: 500 }),
      ask('list_tasks'),
      ask('list_parts'),
      ask('list_services', { limit: 500 }),
    ])
  type Named = { id: number; name: string }
  const bikeCalled = async (word: string): Promise<number> =>
    (await ask('list_bikes')).bikes.find(({ name }: Named) => name.includes(word)).id
  const partOn = async (bike: number, kind: string): Promise<number> =>
    (await ask('list_parts', { bike })).parts.find((part: { kind: string | null }) => part.kind === kind).id
  const undo = ({ change }: { change: string }) => ask('undo', { change })

  test('“What did I do to the Domane in 2024?”', async () => {
    const year = { bike: await bikeCalled('Domane'), from: '2024-01-01', to: '2024-12-31' }
    expect((await ask('list_entries', year)).entries.length).toBeGreaterThan(0)
    const { services } = await ask('list_services', year)
    expect(services.every(({ done_on }: { done_on: string }) => done_on.startsWith('2024'))).toBe(true)
  })

  test('“Add the pedals I bought, 115 dollars”, and “undo that”', async () => {
    const pedals = { bike: await bikeCalled('Domane'), name: 'Pedals', type: 'Pedals', cost: 115 }
    const added = await ask('add_entry', pedals)
    expect((await ask('list_entries', { text: 'pedals' })).entries[0]).toMatchObject({
      id: added.entry_id,
      cost: 115,
    })
    await undo(added)
  })

  test('“Remind me to wax every 300 miles”', async () => {
    const part = await partOn(await bikeCalled('Domane'), 'chain')
    const task = { part, name: 'Wax', every_distance: 300, units: 'mi' }
    const added = await ask('add_task', task)
    expect((await ask('list_tasks')).tasks).toContainEqual(
      expect.objectContaining({ id: added.task_id, left_distance: 300, state: 'ok' }),
    )
    await undo(added)
  })

  test('“How far did I ride in May?”, “What did this year cost?” and “What is due on the gravel bike?”', async () => {
    expect((await ask('ride_totals', { from: '2026-05-01', to: '2026-05-31' })).distance).toBeGreaterThan(0)
    expect((await ask('spending', { from: '2026-01-01' })).cost).toBeGreaterThan(0)
    const bike = await bikeCalled('Warbird')
    for (const task of (await ask('list_due', { bike })).tasks) expect(task.bike_id).toBe(bike)
  })

  test('“I waxed the chain yesterday, 12 dollars of wax”', async () => {
    const { tasks } = await ask('list_tasks')
    const { id } = tasks.find(({ name }: Named) => /wax/i.test(name))
    const done = await ask('mark_done', { id, day: YESTERDAY, cost: 12 })
    const { services } = await ask('task_history', { id })
    expect(services[0]).toMatchObject({ id: done.event_id, done_on: YESTERDAY, cost: 12 })
    await undo(done)
  })

  test('“Replace the rear tire of the Domane by a GP5000” and “Move the Hunt wheels to the Warbird”', async () => {
    const rear = await partOn(await bikeCalled('Domane'), 'rear tire')
    const replaced = await ask('replace_part', { id: rear, name: 'GP5000, rear' })
    expect((await ask('list_parts')).parts).toContainEqual(
      expect.objectContaining({ id: replaced.part_id, name: 'GP5000, rear', kind: 'rear tire' }),
    )
    const [warbird, all] = [await bikeCalled('Warbird'), (await ask('list_parts')).parts]
    const wheels = all.find(
      (part: Named & { bike_id: number }) => /Hunt/.test(part.name) && part.bike_id !== warbird,
    )
    const moved = await ask('move_part', { id: wheels.id, bike: warbird })
    await undo(moved)
    await undo(replaced)
  })

  test('“Which chain lasts longest?” and “Chain checker says 0.5”', async () => {
    expect((await ask('part_lifetimes', { kind: 'chain' })).groups.length).toBeGreaterThan(0)
    const id = await partOn(await bikeCalled('Domane'), 'chain')
    await undo(await ask('add_measurement', { id, value: 0.5, unit: 'chain %' }))
  })

  test('leaves everything as it was, because each answer can be undone', async () => {
    expect(await everything()).toEqual(before)
  })
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
})
