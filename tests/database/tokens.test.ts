import { createHash, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { Answers } from '../../supabase/functions/_shared/contracts/data-api.ts'
import { createToken } from '../../supabase/functions/_shared/http/tokens.ts'
import { onlyWorld } from '../world.ts'
import { OWNER, SIGN_IN_OWNER, useDatabase } from './databases.ts'

const database = await useDatabase(`
    ${SIGN_IN_OWNER};
    update private.owner set time_zone = 'UTC';
    create table if not exists auth.mfa_factors (
      id uuid, user_id uuid, factor_type text, status text, created_at timestamptz, updated_at timestamptz
    )`)
beforeEach(() =>
  database.run(`
    reset role;
    ${signIn({})};
    truncate private.access_tokens, auth.mfa_factors;
    ${onlyWorld({
      bikes: ['Road', 'Gravel'],
      entries: [{ part: 1, type: 'Drivetrain', name: 'Chain' }],
      tasks: [{ part: 1, name: 'Wax', days: 30 }],
    })}`),
)

const signIn = (claims: object) =>
  `select set_config('request.jwt.claims', '${JSON.stringify({ sub: OWNER, role: 'authenticated', ...claims })}', false)`
const quote = (text: string) => `'${text.replaceAll("'", "''")}'`

const { value } = database

const create = (token: string, scope = 'read and write', days: number | null = null, name = 'Phone') =>
  value<number>(`public.create_token(${[token, name, scope].map(quote).join(', ')}, ${days})`)

const list = async () => (await database.read(Answers.entries.tokens, 'public.tokens()')).tokens
const revoke = (id: number) => value<boolean>(`public.revoke_token(${id})`)

interface Answer {
  tasks: object[]
}

/** Runs a command as the edge functions do. */
async function run(token: string, command: string, args: object = {}, key: string = randomUUID()) {
  const hash = createHash('sha256').update(token).digest('hex')
  const results = await database
    .run(`
    begin; set local role service_role; select set_config('request.jwt.claim.sub', '', true);
    select public.run_command_as(${quote(hash)}, ${quote(command)}, ${quote(JSON.stringify(args))}, ${quote(key)}) as value; commit`)
    .catch(async (error: unknown) => {
      await database.run('rollback')
      throw error
    })
  return results.flat().find((row) => 'value' in row)!.value as {
    scope: string
    answer: Answer
    change: string | null
    settings: object | null
  } | null
}

describe('tokens', () => {
  test('are created, listed newest first, and revoked at once', async () => {
    const [reader, writer] = [createToken(), createToken()]
    await create(reader, 'read', 90, 'Home Assistant')
    const id = await create(writer)
    expect(await list()).toMatchObject([
      { id, name: 'Phone', scope: 'read and write', expires_at: null, is_expired: false, last_used_at: null },
      { name: 'Home Assistant', scope: 'read', is_expired: false },
    ])
    expect(Date.parse((await list())[1]!.expires_at!) - Date.now()).toBeCloseTo(90 * 86_400_000, -5)
    expect(await run(writer, 'token')).toEqual({ scope: 'read and write', answer: null, settings: null })
    expect([await revoke(id), await revoke(id)]).toEqual([true, true])
    expect([await run(writer, 'token'), (await list()).length]).toEqual([null, 1])
  })

  test('are created once, even if the response was lost, and never again after they were revoked', async () => {
    const token = createToken()
    const id = await create(token)
    expect(await create(token)).toBe(id)
    await revoke(id)
    await expect(create(token)).rejects.toThrow('The token was revoked.')
    expect(await run(token, 'token')).toBeNull()
  })

  test('are stored only as a hash', async () => {
    const token = createToken()
    await create(token)
    const rows = await database.run('select access_tokens::text from private.access_tokens')
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('stop when they expire, are listed as expired, and are removed after 30 days', async () => {
    const token = createToken()
    await create(token, 'read', 90)
    await database.run(`update private.access_tokens set expires_at = now() - interval '29 days'`)
    expect(await run(token, 'token')).toBeNull()
    expect(await list()).toMatchObject([{ is_expired: true }])
    await database.run(`update private.access_tokens set expires_at = now() - interval '31 days'`)
    expect(await list()).toEqual([])
    expect(await value('(select count(*) from private.access_tokens)')).toBe(0)
  })

  test('show the hour of their last use', async () => {
    const token = createToken()
    await create(token)
    await run(token, 'token')
    const [listed] = await list()
    expect(listed!.last_used_at).toMatch(/T\d\d:00:00\+00:00$/)
    const version = '(select xmin::text from private.access_tokens)'
    const before = await value(version)
    await run(token, 'token')
    expect(await value(version)).toBe(before)
  })

  test.each<[what: string, token: string, name: string, scope: string, days: number | null, message: string]>(
    [
      ['another form', 'rmt_short', 'Phone', 'read', null, 'rmt_ and 40 letters'],
      ['no prefix', createToken().slice(1), 'Phone', 'read', null, 'rmt_ and 40 letters'],
      ['a blank name', createToken(), ' ', 'read', null, 'access_tokens_name_check'],
      ['a long name', createToken(), 'x'.repeat(101), 'read', null, 'access_tokens_name_check'],
      ['an unknown scope', createToken(), 'Phone', 'everything', null, 'access_tokens_scope_check'],
      ['no days', createToken(), 'Phone', 'read', 0, '1 to 366 days'],
      ['too many days', createToken(), 'Phone', 'read', 367, '1 to 366 days'],
    ],
  )('are refused with %s', async (_what, token, name, scope, days, message) => {
    await expect(create(token, scope, days, name)).rejects.toThrow(message)
  })

  test('need the second factor if there is one, and then work without it', async () => {
    const token = createToken()
    await create(token)
    await database.run(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
      values (gen_random_uuid(), '${OWNER}', 'totp', 'verified', now(), now()); ${signIn({ aal: 'aal1' })}`,
    )
    await expect(create(createToken())).rejects.toMatchObject({ code: '42501' })
    await expect(list()).rejects.toMatchObject({ code: '42501' })
    await expect(revoke(1)).rejects.toMatchObject({ code: '42501' })
    expect(await run(token, 'due')).toMatchObject({ answer: { tasks: [{ name: 'Wax' }] } })
    await database.run(signIn({ aal: 'aal2' }))
    expect(await list()).toHaveLength(1)
  })

  test('end with the account that created them', async () => {
    const token = createToken()
    await create(token)
    await database.run(`begin; delete from auth.users where id = '${OWNER}';
      insert into auth.users (id, email) values ('00000000-0000-0000-0000-00000000000c', 'next@example.com')`)
    expect(await value('(select count(*) from private.access_tokens)')).toBe(0)
    await database.run('rollback')
  })
})

describe('a command', () => {
  let token: string
  beforeEach(async () => {
    token = createToken()
    await create(token)
  })

  test('runs as the owner under row-level security', async () => {
    expect(await run(token, 'parts')).toMatchObject({
      answer: { used: { items: { name: ['Chain'] } }, bikes: { 1: 'Road' } },
    })
    expect(await value(`current_setting('role')`)).not.toBe('authenticated')
  })

  test('snoozes until a day, or for days or meters', async () => {
    for (const [until, expected] of [
      [{ until: '2099-01-01' }, { snoozed_until: '2099-01-01', snoozed_distance: null }],
      [{ distance: 500 }, { snoozed_until: null, snoozed_distance: 500 }],
    ] as const) {
      await run(token, 'snooze', { task_id: 1, ...until })
      const { answer } = (await run(token, 'due'))!
      expect(answer.tasks).toMatchObject([{ state: 'snoozed', ...expected }])
    }
    await run(token, 'snooze', { task_id: 1, days: 7 })
    expect(await value('(select snoozed_until - private.today() from public.service_tasks)')).toBe(7)
  })

  test('moves a part, and installs it from storage', async () => {
    await run(token, 'move_part', { part_id: 1, gear_id: 2, day: '2024-02-01' })
    await database.run(
      `update public.maintenance set "dateEnded" = '2024-03-01 01:00', ended_as = 'stored' where "bikeId" = 2`,
    )
    await run(token, 'move_part', { part_id: 1, gear_id: 1 })
    const [items] = await database.run(
      'select "bikeId", ended_as from public.maintenance where part_id = 1 order by id',
    )
    expect(items).toEqual([
      { bikeId: 1, ended_as: 'moved' },
      { bikeId: 2, ended_as: 'stored' },
      { bikeId: 1, ended_as: null },
    ])
  })

  const move = (args: object) =>
    run(token, 'move_part', { part_id: 1, gear_id: 2, day: '2024-02-01', ...args })

  test('asks what comes off before it moves a part to where another one is', async () => {
    await database.run(`insert into public.maintenance (id, "bikeId", name, "dateStarted") values
      (2, 2, 'Old chain', '2024-01-05 01:00'), (3, 2, 'Saddle', '2024-01-05 01:00'), (4, 1, 'Bell', '2024-01-05 01:00');
      update public.parts set kind = 'chain' where id in (select part_id from public.maintenance where name like '%hain')`)
    const log = async () =>
      (await database.run('select id, "bikeId", ended_as from public.maintenance order by id'))[0]
    const before = await log()
    expect(await move({})).toEqual({
      code: 'RMT17',
      message: expect.any(String),
      stored: [{ entry_id: 2, name: 'Old chain' }],
    })
    // What it can't do anyway, it says first.
    await expect(move({ day: '2099-01-01' })).rejects.toMatchObject({ code: 'RMT14' })
    for (const replaces of [[4], [99], [1]])
      await expect(move({ replaces })).rejects.toMatchObject({ code: 'PT422' })
    expect(await log()).toEqual(before)
    await move({ replaces: [2] })
    const moved = { bikeId: 2, ended_as: null }
    expect(await log()).toMatchObject([
      { id: 1, ended_as: 'moved' },
      { id: 2, ended_as: 'stored' },
      { id: 3, ended_as: null },
      { id: 4, ended_as: null },
      moved,
    ])
    await move({
      part_id: await value('(select part_id from public.maintenance where id = 2)'),
      replaces: [],
    })
    expect((await log())!.filter(({ bikeId, ended_as }) => bikeId === 2 && ended_as === null)).toHaveLength(3)
  })

  test('measures a part, by default today, and not in the future', async () => {
    const measurement = { value: 0.4, unit: 'chain %' }
    await run(token, 'add_measurement', { part_id: 1, measurement })
    expect(await value('(select measured_on = private.today() from public.wear_measurements)')).toBe(true)
    const tomorrow = { part_id: 1, measurement: { ...measurement, measured_on: '2099-01-01' } }
    await expect(run(token, 'add_measurement', tomorrow)).rejects.toMatchObject({ code: 'RMT14' })
  })
})
