import { beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../embedded/postgres/connect.ts'
import { randomFor } from '../../sample/random.ts'
import { Claimed } from '../../supabase/functions/_shared/contracts/notifications.ts'
import { onlyWorld } from '../world.ts'
import { SIGN_IN_OWNER, useDatabase } from './databases.ts'

const PHONE = 'https://fcm.googleapis.com/fcm/send/phone'

const database = await useDatabase(`
    ${SIGN_IN_OWNER};
    update private.owner set time_zone = 'UTC';`)
beforeEach(() =>
  database.run(`
    truncate private.push_subscriptions, private.announced_tasks, public.settings;
    ${onlyWorld({
      bikes: ['Warbird'],
      entries: [{ part: 1, name: 'Chain', from: '2026-01-01' }],
      tasks: [{ part: 1, name: 'Wax', every_distance: 100 }],
    })}`),
)

const { value } = database
const subscribe = (endpoint: string, p256dh = `B${'a'.repeat(86)}`, auth = 'a'.repeat(22)) =>
  value(`private.command_add_push_subscription('${JSON.stringify({ endpoint, p256dh, auth })}')`)
const ride = (distance: number, day = '2026-02-01') =>
  database.run(`insert into public.rides (id, gear_id, departed_at, distance)
    select count(*) + 1, 1, '${day}T12:00:00Z', ${distance} from public.rides`)
const done = (day: string) =>
  value<number>(
    `(private.mark_done(1, (select max(id) from public.service_events), '${day}') ->> 'id')::integer`,
  )

const claimed = (channels = 'web_push') =>
  database.read(Claimed, `public.claim_notifications('{${channels}}')`)
const finish = ({ channel, message }: Claimed[number], error: string | null = null) =>
  value(`public.finish_notification('${channel}', ${error ? `'${error}'` : 'null'}, '${message}')`)
const namesOf = (messages: Claimed) => messages.flatMap(({ tasks }) => tasks ?? []).map(({ name }) => name)

/** Claims messages, and sends them. */
async function claim(channels?: string): Promise<string[]> {
  const messages = await claimed(channels)
  for (const each of messages) await finish(each)
  return namesOf(messages)
}

const endpoints = async () =>
  (await database.run('select endpoint from private.push_subscriptions order by added_at'))
    .at(-1)!
    .map(({ endpoint }) => endpoint)

/** Moves all announcements back in time. */
const age = (interval: string) =>
  database.run(`update private.announced_tasks set announced_at = announced_at - interval '${interval}',
    retry_at = retry_at - interval '${interval}'`)
const isWaiting = () => value<boolean>('private.has_unsent_notifications()')

describe('a task that became due', () => {
  beforeEach(() => subscribe(PHONE))

  test('is claimed once, with its part and its bike', async () => {
    expect(await claimed()).toEqual([])
    await database.run(`insert into public.settings (distance) values ('km')`)
    await ride(100)
    const usage = {
      axis: 'distance',
      used: { distance: 100, moving_time: 0, days: expect.any(Number) },
      every: { distance: 100, moving_time: null, days: null },
    }
    const alone = { item_type: null, due_on: null, group: null, others: [] }
    const place = { gear_id: 1, bike: 'Warbird', part_id: 1, item_name: 'Chain' }
    expect(await claimed()).toEqual([
      {
        channel: 'web_push',
        message: expect.any(String),
        announced_at: expect.any(String),
        tasks: [{ id: 1, name: 'Wax', state: 'due', ...place, ...usage, fraction: 1, ...alone }],
        limits: [],
        settings: expect.objectContaining({ distance: 'km' }),
      },
    ])
    // An overdue task isn't announced again.
    await ride(100)
    expect(await claim()).toEqual([])
  })

  test('is claimed again when it was done and is due again', async () => {
    await ride(100)
    expect(await claim()).toEqual(['Wax'])
    await done('2026-03-01')
    expect(await claim()).toEqual([])
    await ride(100, '2026-04-01')
    expect(await claim()).toEqual(['Wax'])
  })

  test('is claimed with the others of its group, and not again when they become due', async () => {
    await database.run(`
      insert into public.parts values (2);
      insert into public.maintenance ("bikeId", part_id, name, "dateStarted") values (1, 2, 'Tube', '2026-01-01');
      update public.service_tasks set "group" = 1;
      insert into public.service_tasks (part_id, name, every_distance, "group") values (2, 'Wax', 50, 1), (1, 'Wipe', 60, null)`)
    await ride(60)
    const [message] = await claimed()
    expect(message!.tasks!.map(({ id, others }) => [id, others.map((other) => other.id)])).toEqual([
      [101, []],
      [102, []],
    ])
    await finish(message!)
    await ride(40, '2026-02-02')
    expect(await claim()).toEqual([])
    await database.run('truncate private.announced_tasks')
    const again = (await claimed()).flatMap(({ tasks }) => tasks ?? [])
    expect(again.map(({ id, others }) => [id, others.map((other) => other.id)])).toEqual([
      [101, [1]],
      [102, []],
    ])
  })

  test('a wear limit is claimed once, and again after a reading that it isn’t reached', async () => {
    const measure = (day: string, value: number) =>
      database.run(
        `insert into public.wear_measurements (part_id, measured_on, value, unit) values (1, '${day}', ${value}, 'chain %')`,
      )
    const limits = async () => {
      const messages = await claimed()
      for (const each of messages) await finish(each)
      return messages.flatMap((message) => message.limits.map(({ bike, state }) => `${bike}: ${state}`))
    }
    await database.run('delete from public.service_tasks')
    await ride(1_000_000, '2026-01-10')
    await measure('2026-01-10', 0.25)
    expect(await limits()).toEqual([])
    await ride(850_000, '2026-01-20')
    const [message] = await claimed()
    expect([message?.tasks, message?.limits]).toMatchObject([
      [],
      [{ bike: 'Warbird', state: 'due', unit: 'chain %', reached_on: null, due_since: '2026-01-20' }],
    ])
    await finish(message!)
    // A reading that shows it says nothing new.
    await measure('2026-01-20', 0.5)
    expect(await limits()).toEqual([])
    await database.run('delete from public.wear_measurements where value = 0.5')
    await measure('2026-01-21', 0.4)
    expect(await limits()).toEqual([])
    await ride(3_000_000, '2026-01-30')
    expect(await limits()).toEqual(['Warbird: overdue'])
    expect(await limits()).toEqual([])
  })

  test('waits for a retired bike, and is not claimed afterwards if it became due in the meantime', async () => {
    const retire = (is_retired: boolean) =>
      database.run(
        `select private.store_bikes('${JSON.stringify([{ gear_id: 1, name: 'Warbird', is_retired }])}')`,
      )
    await retire(true)
    await ride(100)
    expect(await claim('web_push,ntfy')).toEqual([])
    await retire(false)
    expect(await claim('web_push,ntfy')).toEqual([])
    await database.run('update public.service_tasks set every_distance = 200')
    await database.run(
      'insert into public.rides (id, gear_id, departed_at, distance) values (2, 1, now(), 100)',
    )
    expect(await claim()).toEqual(['Wax'])
  })

  test('is not claimed again when Done is undone', async () => {
    await ride(100)
    await claim()
    const event = await done('2026-03-01')
    await ride(100, '2026-04-01')
    expect(await claim()).toEqual(['Wax'])
    await value(`public.run_command('remove_event', '{"event_id": ${event}}')`)
    expect(await claim()).toEqual([])
  })

  test('is claimed again when its interval changed', async () => {
    await ride(100)
    await claim()
    await database.run("update public.service_tasks set name = 'Hot wax', every_distance = 100.0")
    expect(await claim()).toEqual([])
    await database.run('update public.service_tasks set every_distance = 90')
    expect(await claim()).toEqual(['Hot wax'])
  })

  test('is claimed once, however the first rides and the start of its part change', async () => {
    const random = randomFor('first rides')
    await database.run(
      "insert into public.service_tasks (id, gear_id, name, every_distance) values (2, 1, 'Wash', 100)",
    )
    const first = '(select id from public.rides order by started_at limit 1)'
    const day = () => `2026-02-${random.integer(10, 27)}`
    const edits = [
      () => `delete from public.rides where id = ${first}`,
      () => `update public.rides set departed_at = '${day()}T12:00:00Z' where id = ${first}`,
      () => `update public.maintenance set "dateStarted" = '${day()}'`,
      () => `insert into public.rides (id, gear_id, departed_at, distance)
        select coalesce(max(id), 0) + 1, 1, '${day()}T12:00:00Z', 60 from public.rides`,
    ] as const
    const names: string[] = []
    for (let round = 0; round < 60; round++) {
      await database.run(random.pick(edits)())
      names.push(...(await claim()))
    }
    expect(names.toSorted()).toEqual(['Wash', 'Wax'])
  })

  test('waits while it is snoozed, and stays announced when it is removed and restored', async () => {
    await ride(100)
    await database.run(
      `update public.service_tasks set snoozed_until = '2099-01-01', snoozed_from = '2026-01-01T01:00:00'`,
    )
    expect(await claim()).toEqual([])
    await database.run('update public.service_tasks set snoozed_until = null')
    expect(await claim()).toEqual(['Wax'])
    const removed = await value<{ change: string }>(`public.run_command('remove_task', '{"task_id": 1}')`)
    await value(`public.run_command('undo', '${JSON.stringify({ change: removed.change })}')`)
    expect(await claim()).toEqual([])
  })

  test('is forgotten 30 days after it was announced, unless it is still due', async () => {
    await ride(100)
    await claim()
    await done('2026-03-01')
    await ride(100, '2026-04-01')
    await claim()
    await database.run(
      "insert into public.ride_syncs (triggered_by, outcome, finished_at, code) values ('schedule', 'failed', now(), 'rwgps_unauthorized')",
    )
    await claim()
    const age = (days: number) =>
      database.run(`update private.announced_tasks set announced_at = now() - interval '${days} days'`)
    await age(29)
    await claim()
    expect(await announced()).toEqual(['sign-in', 'never', '2026-03-01T01:00:00'])
    await age(31)
    expect(await claim()).toEqual([])
    expect(await announced()).toEqual(['sign-in', '2026-03-01T01:00:00'])
    await database.run('delete from public.ride_syncs')
  })

  test('is claimed by only one of two syncs', async () => {
    await ride(100)
    const other = connect(database.url, 1)
    const [names, [row]] = await Promise.all([
      claim(),
      other`select json_array_length(public.claim_notifications('{web_push}')) as value`,
    ])
    await other.end()
    expect(names.length + row!.value).toBe(1)
  })
})

describe('channels', () => {
  beforeEach(() => database.run('truncate private.channel_states'))

  test('need no browser, and each gets a task once', async () => {
    await ride(100)
    expect(await claim('web_push')).toEqual([])
    expect(await claim('ntfy')).toEqual(['Wax'])
    expect(await claim('web_push,ntfy,webhook')).toEqual(['Wax'])
    expect(await claim('web_push,ntfy,webhook')).toEqual([])
    expect(await claim('')).toEqual([])
  })

  test('get a message that failed again for a day, with the same id', async () => {
    await ride(100)
    const [first] = await claimed('ntfy')
    await finish(first!, '500')
    expect(await isWaiting()).toBe(true)
    const [second] = await claimed('ntfy')
    expect(second).toEqual(first)
    // Until it is known whether it was sent, it isn't sent again.
    expect([await isWaiting(), await claimed('ntfy')]).toEqual([false, []])
    await finish(second!, '500')
    await age('23 hours 59 minutes')
    expect(await isWaiting()).toBe(true)
    await finish((await claimed('ntfy'))[0]!, '500')
    await age('1 minute')
    expect([await isWaiting(), await claimed('ntfy')]).toEqual([false, []])
  })

  test('get a message again that was never finished, after a minute', async () => {
    await ride(100)
    const [first] = await claimed('webhook')
    await age('59 seconds')
    expect(await claimed('webhook')).toEqual([])
    await age('1 second')
    expect((await claimed('webhook')).map(({ message }) => message)).toEqual([first!.message])
  })

  test('get no failed message about a task that was done meanwhile, and later tasks in another message', async () => {
    await database.run(
      `insert into public.service_tasks (id, part_id, name, every_distance) values (2, 1, 'Wipe', 150)`,
    )
    await ride(100)
    const [wax] = await claimed('ntfy')
    await finish(wax!, '500')
    await ride(100)
    const messages = await claimed('ntfy')
    expect(namesOf(messages).toSorted()).toEqual(['Wax', 'Wipe'])
    expect(messages).toHaveLength(2)
    for (const each of messages) await finish(each, '500')
    await done('2026-03-01')
    expect(await claim('ntfy')).toEqual(['Wipe'])
  })
})

describe('push subscriptions', () => {
  test('announce only tasks that become due later', async () => {
    await ride(100)
    expect(await claim()).toEqual([])
    await subscribe(PHONE)
    expect(await claim()).toEqual([])
  })

  test('can be repeated, looked up and removed', async () => {
    expect(await value(`public.has_push_subscription('${PHONE}')`)).toBe(false)
    for (let times = 0; times < 2; times++) await subscribe(PHONE)
    expect(await value(`public.has_push_subscription('${PHONE}')`)).toBe(true)
    for (let times = 0; times < 2; times++)
      await value(`private.command_remove_push_subscription('${JSON.stringify({ endpoint: PHONE })}')`)
    expect(await endpoints()).toEqual([])
  })

  test('keep the latest 20', async () => {
    for (let number = 1; number <= 22; number++) await subscribe(`${PHONE}${number}`)
    expect(await endpoints()).toEqual(Array.from({ length: 20 }, (_, index) => `${PHONE}${index + 3}`))
  })

  test.each([
    'http://fcm.googleapis.com/x',
    'https://fcm.googleapis.com:8080/x',
    'https://fcm.googleapis.com.example.com/x',
    'https://evilgoogleapis.com/x',
    'https://user@fcm.googleapis.com/x',
    'https://example.com/?https://fcm.googleapis.com/x',
    'https://example.com\\@fcm.googleapis.com/x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://localhost/x',
    'https://192.168.1.1/x',
    'https://fcm.googleapis.com/',
    'https://fcm.googleapis.com/a b',
    'https://fcm.googleapis.com/x\n',
    `https://fcm.googleapis.com/${'x'.repeat(1000)}`,
    '',
  ])('are rejected outside known push services: %j', async (endpoint) => {
    await expect(subscribe(endpoint)).rejects.toThrow('push_subscriptions_endpoint_check')
  })

  test.each([
    'https://jmt17.google.com/fcm/send/abc:def-_',
    'https://web.push.apple.com/QGuQyavXutnMH',
    'https://wns2-by3p.notify.windows.com/w/?token=BQYA%2b',
  ])('are accepted at %s', async (endpoint) => {
    await subscribe(endpoint)
    expect(await endpoints()).toEqual([endpoint])
  })

  test('need keys of the right size', async () => {
    await expect(subscribe(PHONE, 'short')).rejects.toThrow('push_subscriptions_p256dh_check')
    await expect(subscribe(PHONE, undefined, 'a'.repeat(23))).rejects.toThrow('push_subscriptions_auth_check')
  })
})

function announced() {
  return value(`(select json_agg(case task_id when 0 then 'sign-in' else coalesce(announced_for ->> 'done', 'never') end order by task_id, announced_for)
    from private.announced_tasks)`)
}
