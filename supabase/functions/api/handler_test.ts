import assert from 'node:assert/strict'
import { createAccess } from '../_shared/commands/access.ts'
import { CodedError } from '../_shared/http/errors.ts'
import { errorOf, fakeQuery, recordLog, LIMIT, TASK, WORN } from '../_shared/testing.ts'
import type { Dependencies } from '../_shared/http/token-endpoint.ts'
import { createToken } from '../_shared/http/tokens.ts'
import { createApi } from './handler.ts'

const TOKEN = createToken()

type Answers = Record<string, (args: unknown) => unknown>

/** Serves the API with a database that knows one token, which may write. */
function serve(
  answers: Answers = {},
  now = () => 0,
  sync: Dependencies['sync'] = () => assert.fail('No sync'),
) {
  const sent: { token_hash: string; command: string; arguments: unknown; key?: string }[] = []
  const { log, lines } = recordLog()
  let hash: string | undefined
  const query = fakeQuery({
    run_command_as(args) {
      const call = args as (typeof sent)[number]
      sent.push(call)
      hash ??= call.token_hash
      if (call.token_hash !== hash) return null
      return {
        scope: 'read and write',
        answer: answers[call.command]?.(call.arguments) ?? null,
        settings: null,
      }
    },
  })
  const handle = createApi({ access: createAccess({ query, now, sync }), log })
  const call = (path: string, init: RequestInit = {}, token = TOKEN) =>
    handle(
      new Request(`http://localhost/functions/v1/api${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
      }),
    )
  return { call, handle, sent, lines }
}

const due = {
  due: () => ({ tasks: [TASK], limits: [], bikes: { 7: 'Domane' }, last_sync: '2026-05-13T10:00:00+00:00' }),
  rides: () => ({ today: '2026-05-13', bikes: [] }),
}

Deno.test('the summary has the default units, and those that the caller wants', async () => {
  const { call } = serve(due)
  const summary = await (await call('/v1/summary')).json()
  const { soon, next_task, next_task_bike, next_task_left_distance, units, currency } = summary
  assert.deepEqual(
    [soon, next_task, next_task_bike, next_task_left_distance, units, currency],
    [1, 'Wax', 'Domane', 20.3, 'mi', 'USD'],
  )
  const metric = await (await call('/v1/summary?units=km')).json()
  assert.deepEqual([metric.next_task_left_distance, metric.units], [32.7, 'km'])
})

Deno.test('a group counts once', async () => {
  const task = { ...TASK, state: 'due', fraction: 1 } as const
  const tasks = [
    { ...task, id: 1, group: 1 },
    { ...task, id: 2, group: 1, state: 'overdue' as const },
    { ...task, id: 3 },
  ]
  const { call } = serve({ ...due, due: () => ({ ...due.due(), tasks }) })
  const { overdue, due: count, next_task_id } = await (await call('/v1/summary')).json()
  assert.deepEqual([overdue, count, next_task_id], [1, 2, 2])
  const listed = await (await call('/v1/due')).json()
  assert.deepEqual(
    listed.tasks.map(({ id }: { id: number }) => id),
    [2, 1, 3],
  )
})

Deno.test('wear limits stand beside the tasks that are due, and count', async () => {
  const limits = [WORN, LIMIT, { ...LIMIT, part_id: 4, fraction: 0.5, state: 'ok' as const }]
  const { call } = serve({ ...due, due: () => ({ ...due.due(), limits }) })
  const { due: count, soon, next_task } = await (await call('/v1/summary')).json()
  assert.deepEqual([count, soon, next_task], [1, 2, 'Wax'])
  const listed = await (await call('/v1/due')).json()
  assert.equal(listed.tasks.length, 1)
  assert.deepEqual(listed.limits, [
    {
      name: 'Chain at 0.5%',
      state: 'due',
      bike_id: 7,
      bike: 'Domane',
      part_id: 2,
      part: 'Chain',
      unit: 'chain %',
      limit: 0.5,
      left_distance: 0,
      likely_on: null,
      reached_on: '2026-05-09',
    },
    { ...listed.limits[0], state: 'soon', left_distance: 67.7, reached_on: null },
  ])
  assert.deepEqual((await (await call('/v1/due?bike=7')).json()).limits, listed.limits)
})

Deno.test('a task that is done once has its own limits, and belongs to one of three', async () => {
  const { call, sent } = serve({ add_task: () => ({ tasks: [{ id: 5 }, { id: 6 }], change: null }) })
  const add = async (body: object) => {
    const response = await call('/v1/tasks', {
      method: 'POST',
      body: JSON.stringify({ name: 'Bolt', ...body }),
    })
    const { message, task_ids } = await response.json()
    return message ?? task_ids
  }
  const once = { part: 1, once: true }
  const cases: [object, unknown][] = [
    [{ part: 1, every_days: 9 }, [5, 6]],
    [{ ...once, due_on: '2026-05-01' }, [5, 6]],
    [{ ...once, with_task: 3 }, [5, 6]],
    [{ parts: [1, 2], once: true, every_hours: 5 }, [5, 6]],
    [{ ...once }, 'once: Send at least one of due_on, every_distance, every_hours and with_task.'],
    [
      { ...once, due_on: '2026-05-01', every_days: 9 },
      'once: A task that is done once has no every_days and no last_done_on.',
    ],
    [
      { part: 1, every_days: 9, with_task: 3 },
      'once: Only a task that is done once has due_on or with_task.',
    ],
    [{ part: 1 }, 'Send at least one of every_distance, every_hours and every_days.'],
    [{ part: 1, parts: [2], every_days: 9 }, 'Send one of part, parts and bike.'],
    [{ every_days: 9 }, 'Send one of part, parts and bike.'],
  ]
  for (const [body, expected] of cases) assert.deepEqual([body, await add(body)], [body, expected])
  assert.deepEqual(
    sent
      .flatMap(({ command, arguments: args }) => (command === 'add_task' ? [Object(args).parts] : []))
      .at(-1),
    [1, 2],
  )
})

Deno.test('finds its paths with and without the prefix that hosted projects remove', async () => {
  const { handle } = serve(due)
  for (const path of ['/api/v1/tasks', '/functions/v1/api/v1/tasks']) {
    const request = new Request(`http://localhost${path}`, { headers: { authorization: `Bearer ${TOKEN}` } })
    assert.equal((await handle(request)).status, 200)
  }
})

Deno.test('a typo costs no query, and guesses are limited except for the real token', async () => {
  const { call, sent, lines } = serve(due)
  assert.equal((await call('/v1/due')).status, 200)
  const queries = sent.length
  assert.deepEqual(await errorOf(await call('/v1/due', {}, `${TOKEN.slice(0, -1)}~`)), [401, 'unauthorized'])
  assert.equal(sent.length, queries)
  const statuses = new Map<number, number>()
  for (let guess = 0; guess < 100; guess++) {
    const { status } = await call('/v1/bikes', {}, createToken())
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  assert.deepEqual(
    [...statuses],
    [
      [401, 60],
      [429, 40],
    ],
  )
  assert.equal((await call('/v1/due')).status, 200)
  assert.ok(lines.every((line) => !line.includes('rmt_')))
})

Deno.test('a key that is no UUID becomes one, another one for each token', async () => {
  const { call, sent } = serve({ mark_done: () => ({ id: 5, change: null }) })
  const keyOf = async (key: string, token?: string) => {
    await call('/v1/tasks/1/done', { method: 'POST', headers: { 'idempotency-key': key } }, token)
    return sent.at(-1)?.key
  }
  const uuid = crypto.randomUUID()
  assert.equal(await keyOf(uuid), uuid)
  assert.equal(await keyOf(''), undefined)
  const key = await keyOf('tag-1')
  assert.match(key ?? '', /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
  assert.equal(await keyOf('tag-1'), key)
  assert.notEqual(await keyOf('tag-2'), key)
  assert.notEqual(await keyOf('tag-1', createToken()), key)
})

Deno.test('converts a snooze from the unit of the answer', async () => {
  const { call, sent } = serve({ snooze: () => ({ change: null }) })
  for (const [query, meters] of [
    ['', 16_090],
    ['?units=km', 10_000],
  ] as const) {
    await call(`/v1/tasks/1/snooze${query}`, { method: 'POST', body: '{"distance": 10}' })
    assert.deepEqual(sent.at(-1)?.arguments, {
      task_id: 1,
      until: undefined,
      days: undefined,
      distance: meters,
    })
  }
})

const unsent = (...names: string[]) =>
  Object.fromEntries([...names, 'units', 'clear'].map((name) => [name, null]))

Deno.test('null means not sent, and clear names what is emptied', async () => {
  const { call, sent } = serve({ edit_row: () => ({ row: {}, change: null }) })
  /** Returns the columns that are written, or the error's message. */
  async function edit(path: string, body: object): Promise<unknown> {
    const response = await call(path, { method: 'PATCH', body: JSON.stringify(body) })
    if (!response.ok) return ((await response.json()) as Error).message
    return JSON.parse(JSON.stringify((sent.at(-1)!.arguments as { wanted: object }).wanted))
  }
  const entry = unsent('type', 'name', 'description', 'cost', 'started_on', 'ended_on', 'ended_as', 'link')
  const task = unsent('name', 'kind', 'every_distance', 'every_hours', 'every_days', 'outdoor_only')
  for (const [path, body, expected] of [
    ['/v1/log/1', { ...entry, name: 'Chain' }, { name: 'Chain' }],
    ['/v1/log/1', { ...entry, clear: ['type', 'ended_on'] }, { type: null, dateEnded: null }],
    ['/v1/log/1', { ...entry, clear: ['ended_as'], cost: 5 }, { ended_as: null, cost: 5 }],
    ['/v1/tasks/1', { ...task, name: 'Wax' }, { name: 'Wax' }],
    [
      '/v1/tasks/1',
      { ...task, every_days: 9, clear: ['every_hours'] },
      { every_days: 9, every_moving_time: null },
    ],
    ['/v1/log/1', { ended_on: '2026-05-01', clear: ['ended_on'] }, 'clear: Leave out what is also sent.'],
    [
      '/v1/log/1',
      { clear: ['cost'] },
      'clear: Send some of type, description, ended_on, link, position, ended_as.',
    ],
    [
      '/v1/tasks/1',
      { clear: ['name'] },
      'clear: Send some of every_distance, every_hours, every_days, due_on, with_task.',
    ],
    ['/v1/log/1', { ...entry, clear: [] }, 'Send at least one field to change.'],
    ['/v1/tasks/1', task, 'Send at least one field to change.'],
  ] as const)
    assert.deepEqual([path, body, await edit(path, body)], [path, body, expected])
})

Deno.test('a failure of the database is logged, not shown', async () => {
  const { call, lines } = serve({
    due() {
      throw Object.assign(new Error('the pump is flat'), { code: 'XX000' })
    },
  })
  assert.deepEqual(await errorOf(await call('/v1/due')), [500, 'internal'])
  assert.ok(lines.some((line) => line.includes('the pump is flat')))
})

Deno.test('anyone may read the document', async () => {
  const { handle, sent } = serve()
  const document = await (await handle(new Request('http://localhost/api/openapi.json'))).json()
  assert.ok('/v1/log/{id}' in document.paths)
  assert.equal(sent.length, 0)
})

Deno.test('parameters are numbers where the command takes numbers', async () => {
  const { call, sent } = serve({ log: () => ({ entries: [], has_more: false, bikes: { 7: 'Domane' } }) })
  assert.equal((await call('/v1/log?bike=7&text=2024&limit=5')).status, 200)
  const { gear_id, word, limit } = sent.at(-1)!.arguments as Record<string, unknown>
  assert.deepEqual([gear_id, word, limit], [7, '2024', 5])
})

Deno.test('sync answers with its counts, or says why there are none', async () => {
  const counts = { bikes: 2, fetched: 9, added: 1, changed: 0, removed: 0, skipped: 0 }
  const { call } = serve({}, undefined, () => Promise.resolve({ status: 'unchanged', ...counts } as never))
  const answer = await (await call('/v1/sync', { method: 'POST' })).json()
  assert.deepEqual(answer, { ...counts, mismatch: null, units: 'mi', currency: 'USD' })
  const busy = serve({}, undefined, () => Promise.reject(new CodedError('already_running')))
  assert.deepEqual(await errorOf(await busy.call('/v1/sync', { method: 'POST' })), [409, 'already_running'])
})
