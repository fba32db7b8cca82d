import { randomUUID } from 'node:crypto'
import { expect, test, beforeEach } from 'vitest'
import { connect } from '../../embedded/postgres/connect.ts'
import { onlyWorld } from '../world.ts'
import { backupOf, restore, scriptOf, tablesOf } from '../backups.ts'
import { literal, OWNER, SIGN_IN_OWNER, useDatabase } from './databases.ts'

const database = await useDatabase(SIGN_IN_OWNER)
const LOG = onlyWorld({
  bikes: ['Road', 'Gravel'],
  entries: [
    { part: 1, name: 'Chain' },
    { part: 2, name: 'Tire' },
  ],
  files: [
    { item: 1, name: 'Chain.pdf' },
    { item: 2, name: 'Tire.pdf' },
  ],
})
beforeEach(() => database.run(LOG))

/** Runs a command as the owner, in a transaction of its own. */
async function run(command: string, args: object, key: string | null = randomUUID(), url?: string) {
  const statement = `set local role authenticated;
    select public.run_command('${command}', ${literal(args)}, ${key ? `'${key}'` : 'null'}) as value`
  const session = url ? connect(url, 1) : null
  const rows = session
    ? await session
        .unsafe(`select set_config('request.jwt.claim.sub', '${OWNER}', false); ${statement}`)
        .finally(() => session.end())
    : await database.run(statement)
  // eslint-disable-next-line typescript/no-explicit-any -- each test knows the answer
  return (rows.at(-1) as any)[0].value
}
const undo = async (change: string) => (await run('undo', { change })).answer
const filesOf = async (item_id: number) => (await run('files', { item_id }, null)).answer.files
const names = async (item_id: number) => (await filesOf(item_id)).map(({ name }: { name: string }) => name)
const contents = async () => Number(await database.value('(select count(*) from private.file_contents)'))
const pdf = (text: string) => btoa(`%PDF-${text}`)
const WEBP = btoa('RIFF1234WEBP')
const add = (item_id: number, text: string, extra: object = {}, key = randomUUID()) =>
  run('add_file', { item_id, name: `${text}.pdf`, content: pdf(text), ...extra }, key)
/** Makes all changes older than the trash. The next write forgets them. */
const forget = () => database.run(`update public.changes set changed_at = now() - interval '31 days'`)
const write = () => run('add_item', { item: { bikeId: 1, name: 'Bell' } })

test.each([
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['RIFF1234WEBP', 'image/webp'],
  ['%PDF-1.4', 'application/pdf'],
])('says what the bytes %j are, not the name', async (bytes, media_type) => {
  const { answer } = await run('add_file', { item_id: 1, name: 'a.svg', content: btoa(bytes) })
  expect((await filesOf(1)).at(-1)).toMatchObject({ id: answer.file_id, media_type, size: bytes.length })
})

test('takes nothing else, and only pictures as thumbnails', async () => {
  for (const bytes of ['<html>%PDF-', 'GIF89a', ''])
    await expect(run('add_file', { item_id: 1, name: 'a.pdf', content: btoa(bytes) })).rejects.toMatchObject({
      code: 'RMT43',
    })
  await expect(add(1, 'x', { thumbnail: pdf('y') })).rejects.toMatchObject({ code: 'RMT43' })
  await expect(add(1, 'x', { thumbnail: btoa('x') })).rejects.toMatchObject({ code: 'RMT43' })
  await expect(add(9, 'x')).rejects.toMatchObject({ code: 'RMT40' })
})

test('stores equal bytes once, and a thumbnail that comes later', async () => {
  await add(1, 'x')
  await add(2, 'x', { thumbnail: WEBP })
  expect(await contents()).toBe(3)
  const [, first] = await filesOf(1)
  expect(first.has_thumbnail).toBe(true)
  const shown = await run('file', { file_id: first.id, thumbnail: true }, null)
  expect(shown.answer).toEqual({ name: 'x.pdf', media_type: 'image/webp', content: WEBP })
})

test('an entry takes its files along, and an undo brings both back', async () => {
  const before = await filesOf(1)
  const { change } = await run('delete_item', { id: 1 })
  await expect(filesOf(1)).rejects.toMatchObject({ code: 'RMT40' })
  expect(await database.value('(select count(*)::int from public.entry_files)')).toBe(1)
  const trash = await database.value<{ groups: { deleted: number; changes: { relation: string }[] }[] }>(
    'public.trash()',
  )
  expect(trash.groups[0]).toMatchObject({ deleted: 1, changes: [{ relation: 'maintenance' }] })
  expect(await undo(change)).toEqual({ restored: 1, conflicts: [] })
  expect(await filesOf(1)).toEqual(before)
  // A script of the owner's own, too.
  await database.run('set local role authenticated; delete from public.maintenance where id = 1')
  expect(await database.value('(select count(*)::int from public.entry_files)')).toBe(1)
})

test('an entry with a later file stays, and a file without its entry stays away', async () => {
  const { answer, change } = await write()
  const { change: added } = await add(answer.item.id, 'x')
  const used = {
    relation: 'maintenance',
    state: 'used',
    added: [{ relation: 'entry_files', item: { name: 'Bell' } }],
  }
  expect(await undo(change)).toMatchObject({ restored: 0, conflicts: [used] })
  const { change: removed } = await run('remove_file', { file_id: (await filesOf(answer.item.id))[0].id })
  await run('delete_item', { id: answer.item.id })
  const deleted = { relation: 'entry_files', state: 'deleted', item: { name: 'Bell' } }
  expect(await undo(removed)).toMatchObject({ restored: 0, conflicts: [deleted] })
  expect(await undo(added)).toMatchObject({ restored: 0, conflicts: [] })
})

test('files stay with the period they were added to when a part is moved', async () => {
  await run('move_part', { part_id: 1, gear_id: 2, day: '2024-03-01', replaces: [] })
  expect(await names(1)).toEqual(['Chain.pdf'])
  const { files } = (await run('files', { part_id: 1 }, null)).answer
  expect(files.map(({ item_id }: { item_id: number }) => item_id)).toEqual([1])
  await expect(run('files', { part_id: 99 }, null)).rejects.toMatchObject({ code: 'RMT23' })
})

test('forgets bytes once neither a file nor a change of 30 days names them', async () => {
  await add(1, 'same')
  await add(2, 'same')
  const { answer } = await add(1, 'x')
  await run('remove_file', { file_id: answer.file_id })
  await run('delete_item', { id: 2 })
  await write()
  expect(await contents()).toBe(4)
  await forget()
  await write()
  // Those of the other entry stay.
  expect(await contents()).toBe(2)
  expect(await names(1)).toEqual(['Chain.pdf', 'same.pdf'])
})

test('takes twenty files per entry, also if devices add them at once', async () => {
  for (let index = 0; index < 18; index++) await add(1, `${index}`)
  const key = randomUUID()
  const attempts = ['a', 'b', 'c'].map((text) =>
    run(
      'add_file',
      { item_id: 1, name: text, content: pdf(text) },
      text === 'a' ? key : randomUUID(),
      database.url,
    ).then(
      () => 'added',
      ({ code }) => code,
    ),
  )
  expect(new Set(await Promise.all(attempts))).toEqual(new Set(['RMT42', 'added']))
  expect(await filesOf(1)).toHaveLength(20)
  await expect(run('check_file', { item_id: 1, key: randomUUID() }, null)).rejects.toMatchObject({
    code: 'RMT42',
  })
  // An undo is never refused for it.
  const { change } = await run('remove_file', { file_id: 1 })
  await add(1, 'in its place')
  await undo(change)
  expect(await filesOf(1)).toHaveLength(21)
})

test('a backup has the bytes as base64 in pieces of limited size, and restoring it gives the same file', async () => {
  const sql = connect(database.url)
  for (const text of ['a', 'b', 'c'])
    await run('add_file', { item_id: 1, name: text, content: pdf(text.repeat(700_000)), thumbnail: WEBP })
  await run('remove_file', { file_id: 1 })
  const text = await backupOf(sql)
  const tables = tablesOf(text) as Record<string, { content: string }[]>
  expect(tables['file_contents']!.map(({ content }) => content)).toContain(pdf('Chain.pdf'))

  const sizes: number[] = []
  for (let after: string | null = null, last = ''; ; after = last) {
    const [piece] =
      await sql`select last, octet_length(tables::text) as length from private.backup_rows(1000, ${after})`
    sizes.push(piece!['length'])
    if (piece!['last'] === null) break
    last = piece!['last']
  }
  expect(Math.max(...sizes)).toBeLessThan(2.5e6)
  expect(sizes).toHaveLength(2)

  await database.run(onlyWorld({}))
  await restore(sql, text)
  expect(await backupOf(sql)).toBe(text)
  await database.run(onlyWorld({}))
  await sql.unsafe(await scriptOf(text)).simple()
  expect(await backupOf(sql)).toBe(text)
  await expect(restore(sql, text.replace(pdf('Chain.pdf'), pdf('Chain.pdx')), true)).rejects.toThrow(
    'sha256_check',
  )
  expect(await backupOf(sql)).toBe(text)

  const [{ light }] = await sql<
    [{ light: string }]
  >`select tables::text as light from private.backup_rows(null, null, true)`
  expect(JSON.parse(light)).toMatchObject({ file_contents: [], entry_files: [], maintenance: [{}, {}] })
  expect(light).not.toContain('.pdf')
  const pages: unknown[] = []
  for (let after: string | null = null; pages.length === 0 || after !== null;) {
    const [piece]: { tables: object; last: string | null }[] =
      await sql`select tables, last from private.backup_rows(1, ${after}, true)`
    pages.push(...Object.values(piece!.tables).flat())
    after = piece!.last
  }
  expect(pages).toEqual(Object.values(JSON.parse(light)).flat())
  await sql.end()
})

const attempt = (sub: string, role: string, statement: string) =>
  database
    .run(`set local role ${role}; select set_config('request.jwt.claim.sub', '${sub}', true); ${statement}`)
    .then(
      (results) => (results.at(-1) as unknown[]).length,
      ({ code }) => code,
    )

test('nobody else reads or writes files, and the owner writes only their names', async () => {
  const other = OWNER.replace(/a$/, 'b')
  const bytes = 'select content from private.file_contents'
  expect(await attempt(OWNER, 'authenticated', bytes)).toBe(2)
  expect(await attempt(other, 'authenticated', bytes)).toBe(0)
  for (const role of ['anon', 'service_role']) expect(await attempt(OWNER, role, bytes)).toBe('42501')
  for (const statement of [
    `insert into private.file_contents (sha256, content) values ('', '')`,
    `update private.file_contents set thumbnail = null`,
    `delete from private.file_contents`,
    `insert into public.entry_files (item_id, name, media_type, size, sha256) select 1, 'x', 'image/png', 1, sha256 from private.file_contents`,
    `update public.entry_files set item_id = 2`,
    `update public.entry_files set media_type = 'image/png'`,
    `update public.entry_files set sha256 = ''`,
  ])
    expect([statement, await attempt(OWNER, 'authenticated', statement)]).toEqual([statement, '42501'])
  const store = `select private.store_file(1, 'x', '%PDF-', null)`
  expect(await attempt(other, 'authenticated', store)).toBe('42501')
  expect(await attempt(other, 'authenticated', `select public.run_command('file', '{"file_id": 1}')`)).toBe(
    '42501',
  )
  expect(await attempt(other, 'authenticated', 'delete from public.entry_files returning 1')).toBe(0)
  expect(
    await attempt(OWNER, 'authenticated', 'update public.entry_files set in_passport = true returning 1'),
  ).toBe(2)
})
