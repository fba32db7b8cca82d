// The same table as data-api-requests.ts, for what supabase-js sends itself: quoting, columns and headers.
import type { SupabaseClient } from '@supabase/supabase-js'

// Some methods exist from PostgREST 13 on.
// oxlint-disable-next-line typescript/no-explicit-any
export type Client = SupabaseClient<any, { PostgrestVersion: '14' }>

interface Called {
  status: number
  data: unknown
  error: { code?: string } | null
}

type Verdict = 'same' | 'rewritten' | 'refused'
type Call = (db: Client) => PromiseLike<Called>

const ids = (db: Client) => db.from('bike').select('id').order('id')
const bikes = (db: Client) => db.from('bike')

const ECHO = { data: null, flag: null, list: null, word: null, number: null }

/** Verdict, call, and the ids, the data or the error's code. */
export const CALLS: [Verdict, Call, unknown][] = [
  ['rewritten', (db) => ids(db).eq('name', '1.50'), '4'],
  ['rewritten', (db) => ids(db).in('name', ['1.50', 'Red']), '1,4'],
  ['same', (db) => ids(db).in('name', ['x, y', 'a(b)']), '3,9'],
  ['same', (db) => ids(db).in('name', ['a"b']), '6'],
  ['same', (db) => ids(db).in('name', []), ''],
  ['rewritten', (db) => ids(db).match({ name: '1.50', retired: true }), '4'],
  ['same', (db) => ids(db).not('name', 'in', '("Red","Blue")').lt('id', 4), '3'],
  ['rewritten', (db) => ids(db).or('id.eq.1,id.eq.2').or('id.eq.2,id.eq.3'), '2'],
  ['rewritten', (db) => ids(db).or('name.eq."a\\"b",id.eq.1'), '1,6'],
  ['rewritten', (db) => ids(db).isDistinct('retired', true).lt('id', 5), '2,3'],
  ['same', (db) => ids(db).is('retired', null).lt('id', 5), '3'],
  ['rewritten', (db) => ids(db).likeAnyOf('name', ['R*', 'B*']), '1,2'],
  ['rewritten', (db) => ids(db).likeAllOf('name', ['*e*', '*d']), '1'],
  ['same', (db) => ids(db).ilikeAnyOf('name', ['r%', 'b%']), '1,2'],
  ['same', (db) => ids(db).regexMatch('name', '^R'), '1'],
  ['same', (db) => ids(db).textSearch('name', 'red', { type: 'websearch' }), '1'],
  ['same', (db) => db.from('job').select('id').contains('tags', ['a']).order('id'), '1,4'],
  ['rewritten', (db) => db.from('job').select('id').contains('tags', []).order('id'), '1,2,4,5'],
  ['same', (db) => db.from('job').select('id').contains('extra', { a: 1 }), '2'],
  ['same', (db) => db.from('job').select('id').eq('extra->>a', 1).order('id'), '1,2'],
  ['same', (db) => db.from('job').select('id, bike!inner(name)').eq('bike.name', 'Blue'), '3'],
  ['same', (db) => ids(db).eq('id', 1).single(), { id: 1 }],
  ['same', (db) => ids(db).eq('id', 99).maybeSingle(), null],
  ['same', (db) => ids(db).lt('id', 3).single(), 'PGRST116'],
  ['same', (db) => ids(db).range(1, 2), '2,3'],
  ['rewritten', (db) => bikes(db).update({ note: 'n' }).lt('id', 3).select().single(), 'PGRST116'],
  ['same', (db) => bikes(db).update({ note: 'n' }).lt('id', 3).maxAffected(1), 'PGRST124'],
  ['rewritten', (db) => db.rpc('raise_costs').maxAffected(1), 'PGRST124'],
  ['rewritten', (db) => db.rpc('raise_costs').single(), 'PGRST116'],
  ['rewritten', (db) => db.rpc('echo', { word: '1.50' }, { get: true }), { ...ECHO, word: '1.50' }],
  ['same', (db) => db.rpc('echo', { word: '1.50' }), { ...ECHO, word: '1.50' }],
  ['refused', (db) => db.rpc('echo', { word: 'a' }).select('word'), 'PGRST100'],
  ['refused', (db) => bikes(db).update({ note: 'n' }).eq('id', 1).rollback(), 'PGRST122'],
  ['refused', (db) => bikes(db).select('id').csv(), 'PGRST107'],
  ['refused', (db) => bikes(db).select('id').explain(), 'PGRST107'],
  ['refused', (db) => bikes(db).update({ note: 'n' }).gt('id', 0).order('id').limit(1).select(), 'PGRST100'],
  ['same', (db) => bikes(db).delete(), '21000'],
  [
    'rewritten',
    (db) =>
      bikes(db)
        .insert([{ id: 20 }, { id: 21, note: 'n' }])
        .select('id, note'),
    [
      { id: 20, note: null },
      { id: 21, note: 'n' },
    ],
  ],
  [
    'rewritten',
    (db) =>
      bikes(db)
        .insert([{ id: 20 }, { id: 21, name: 'n' }], { defaultToNull: false })
        .select('id'),
    'PGRST100',
  ],
  [
    'same',
    (db) =>
      bikes(db)
        .upsert([
          { id: 1, note: 'n' },
          { id: 20, note: 'n' },
        ])
        .select('id, note'),
    [
      { id: 1, note: 'n' },
      { id: 20, note: 'n' },
    ],
  ],
  ['same', (db) => bikes(db).upsert({ id: 1, note: 'n' }, { ignoreDuplicates: true }).select('id'), ''],
  ['same', (db) => bikes(db).delete().in('id', [4, 5]).select('id'), '4,5'],
  ['rewritten', (db) => bikes(db).delete().eq('name', '1.50').select('id'), '4'],
]
