// Generates filters in PostgREST's grammar, with the SQL that PostgREST runs for them. PostgREST's sources (QueryParams.hs and
// SqlFragment.hs, August 2026) define both.

const TEXTS = [
  ...String.raw`Chain|1.50|1.5| 5|5 |5|0x10|16|+5|null|NULL|true||a.b|not.eq.1|x, y|a"b|a\b|\|a\"b|"q"|(a|a)|a(b),c`.split(
    '|',
  ),
  ...`{a}|{"a":1}|{|a,b)|*|a*c|é|100%|a_b|o'k|[a]|^a|or(a)|\n|ab`.split('|'),
]
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

export const ROWS = `
  insert into bike (id, name, retired, ridden, bought, seen)
  select n, (array[${TEXTS.map(literal).join()}, null])[1 + n % ${TEXTS.length + 1}], (array[true, false, null])[1 + n % 3],
    n * 0.5, date '2024-01-01' + n, timestamptz '2024-01-01 00:00+00' + n * interval '1 hour' from generate_series(1, 120) n;
  insert into bike (id, name) values (9007199254740992, 'even'), (9007199254740993, 'odd');
  insert into job (id, bike_id, name, cost, extra, tags, sizes)
  select n, n, 'job ' || n, n * 1.25,
    (array['{"a": "1"}', '{"a": 1}', '{"a": null}', '"1"', '1', '{"b": {"c": "x, y"}}', '[1, "2"]', null])[1 + n % 8]::jsonb,
    (array['{}', '{a,b}', '{"a\\"b",c}', '{NULL}', null])[1 + n % 5]::text[], array[n, n + 1] from generate_series(1, 120) n;`

interface Column {
  name: string
  table: 'bike' | 'job'
  /** How PostgREST writes the column. */
  sql: string
  operators: string
  values: readonly string[]
  /** Values that PostgreSQL can't read. */
  wrong?: readonly string[]
}

const ORDER = 'eq neq gt gte lt lte isdistinct in is'
const TEXT = `${ORDER} like ilike match imatch`
const PATH = 'eq neq gt gte lt lte in'
const LISTS = ['{}', '{a}', '{a,b}', '{"a\\"b"}', '{NULL}', '{"x, y"}', '{1,2}']
const QUANTIFIED = ['{Chain,"x, y"}', '{"a\\"b",5}', '{}', '{*a*}', '{a*,C%}', '{NULL}', '{"1.50"}']
const JSONS = ['{"a": 1}', '{}', '"1"', '1', '1.0', 'null', '[1]', '{"a": "1"}', '9007199254740993']

const bike = (
  name: string,
  operators: string,
  values: readonly string[],
  wrong: readonly string[] = [],
): Column => ({
  name,
  table: 'bike',
  sql: name,
  operators,
  values,
  wrong,
})
const job = (
  name: string,
  sql: string,
  operators: string,
  values: readonly string[],
  wrong: readonly string[] = [],
) => ({
  ...bike(name, operators, values, wrong),
  table: 'job' as const,
  sql,
})

/** Columns that trees use. */
const SIMPLE = [
  bike('id', ORDER, ['1', ' 5', '05', '9007199254740993', '0x10', '+5', '1_0'], ['1.0', '', 'x', '1e1']),
  bike('name', TEXT, TEXTS),
  bike(
    'retired',
    ORDER,
    ['true', 't', '1', 'yes', 'on', 'y', 'false', 'f', '0', 'TRUE', ' no '],
    ['abc', ''],
  ),
  bike('bought', ORDER, ['2024-01-05', '2024-1-5', 'infinity', '20240105'], ['2024-02-30']),
]
const COLUMNS = [
  ...SIMPLE,
  bike('ridden', ORDER, ['1', '1.5', '1e1', 'NaN', 'Infinity', '0.5 '], ['x']),
  bike('seen', ORDER, ['2024-01-01T05:00:00Z', '2024-01-01 05:00:00+00', '2024-01-03'], ['x']),
  bike('name', 'eq(any) gt(all) lte(any) like(any) ilike(all) match(any)', QUANTIFIED, ['a']),
  job('cost', 'cost', ORDER, ['1.25', '12.50', '1e1', '12345678901234567890', 'NaN', '2.5'], ['x']),
  job('tags', 'tags', 'eq neq cs cd ov is', LISTS, ['a', '']),
  job('sizes', 'sizes', 'eq cs cd ov', ['{}', '{1,2}', '{ 5, 6 }'], ['{a}']),
  job('extra', 'extra', 'eq neq cs cd is isdistinct', JSONS, ['x', '']),
  job('extra->a', `extra->'a'`, 'eq neq in', JSONS, ['x', '']),
  job('extra->0', `extra->0`, 'eq', JSONS),
  job('extra->>a', `extra->>'a'`, `${PATH} like ilike`, ['1', '1*', 'null', '"1"', '']),
  job('extra->b->>c', `extra->'b'->>'c'`, PATH, ['x, y', 'x']),
]

const SQL: Record<string, string> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  cs: '@>',
  cd: '<@',
  ov: '&&',
}

export function createRandom(seed: number) {
  let state = seed
  const below = (limit: number) => {
    state = (state * 48_271) % 2_147_483_647
    return Math.floor((state / 2_147_483_647) * limit)
  }
  return { below, pick: <T>(list: readonly T[]): T => list[below(list.length)]! }
}
type Random = ReturnType<typeof createRandom>

/** A filter on its own and in a logic tree, and its SQL. */
interface Filter {
  table: 'bike' | 'job'
  column: string
  value: string
  nested: string
  sql: string
}

export const filterOf = (random: Random): Filter => {
  const column = random.pick(COLUMNS)
  return makeFilter(column, random.pick([column.values, column.wrong ?? column.values]), random)
}

function makeFilter(
  { name, table, sql, operators }: Column,
  values: readonly string[],
  random: Random,
): Filter {
  const operator = random.pick(operators.split(' '))
  const not = random.below(4) === 0
  const [value, nested, test] = operandOf(operator, values.length > 0 ? values : [''], random)
  const before = `${not ? 'not.' : ''}${operator}.`
  return {
    table,
    column: name,
    value: before + value,
    nested: `${name}.${before}${nested}`,
    sql: `${not ? 'not ' : ''}${sql} ${test}`,
  }
}

const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

/** Returns an operator's operand on its own and in a logic tree, and the SQL of both. */
function operandOf(
  operator: string,
  values: readonly string[],
  { pick, below }: Random,
): [string, string, string] {
  if (operator === 'is') {
    const word = pick(['null', 'not_null', 'NULL'])
    return [word, word, `is ${word.replace('_', ' ')}`]
  }
  if (operator === 'in') {
    const chosen = Array.from({ length: 1 + below(3) }, () => pick(values))
    const list = `(${chosen.map((text) => (/^(?!")[^,)\s]*$/.test(text) && below(2) ? text : quoted(text))).join()})`
    return [
      list,
      list,
      chosen.join('') === '' && chosen.length === 1
        ? `= any('{}')`
        : `= any(${literal(`{${chosen.map(quoted).join()}}`)})`,
    ]
  }
  const value = pick(values)
  const isSafe = /^(?!["{])[^,)]*$/s.test(value) || /^\{[^{}]*\}$/.test(value)
  const nested = isSafe && below(2) ? value : quoted(value)
  if (operator === 'isdistinct') return [value, nested, `is distinct from ${literal(value)}`]
  const [, plain, quantifier] = /^(\w+)(?:\((\w+)\))?$/.exec(operator)!
  const text = literal(plain!.endsWith('like') ? value.replaceAll('*', '%') : value)
  return [value, nested, `${SQL[plain!]} ${quantifier === undefined ? text : `${quantifier}(${text})`}`]
}

interface Tree {
  operator: string
  operands: string
  sql: string
}

/** Returns a logic tree of valid filters. */
export function treeOf(depth: number, random: Random): Tree {
  const operator = random.pick(['and', 'or'])
  const not = random.below(3) === 0
  const parts = Array.from({ length: 1 + random.below(3) }, () => {
    if (depth > 1 && random.below(3) > 0) {
      const tree = treeOf(depth - 1, random)
      return [tree.operator + tree.operands, tree.sql]
    }
    const column = random.pick(SIMPLE)
    const { nested, sql } = makeFilter(column, column.values, random)
    return [nested, `(${sql})`]
  })
  return {
    operator: `${not ? 'not.' : ''}${operator}`,
    operands: `(${parts.map(([text]) => text).join(random.pick([',', ', ']))})`,
    sql: `(${not ? 'not ' : ''}(${parts.map(([, sql]) => sql).join(` ${operator} `)}))`,
  }
}

/** JSON texts of every look. */
export const WRITTEN = String.raw`
  "Chain" | "1.50" | 1.50 | 1 | 5 | -0 | 1e3 | 1E-2 | 9007199254740993 | 12345678901234567890.5 | "" | null | true | false
  "t" | "yes" | "1" | "abc" | " 5" | "null" | "[1]" | "{a,b}" | "{\"a\": 1}" | "\u00e9\n" | "a\\b" | "\\x6869"
  "2024-01-05" | "2024-01-01T05:00:00Z" | "f47ac10b-58cc-4372-a567-0e02b2c3d479"
  [] | {} | [1,2] | [ 1 , null ] | [true] | [null] | ["x, y"] | ["a","b c","d\"e",null] | [[1,2],[3,4]]
  {"a": 1.50} | { "a" : [ true , "x" ] } | {"b":"\u0041"}`
  .split(/[|\n]/)
  .map((json) => json.trim())
  .filter(Boolean)
export const WRITTEN_COLUMNS: Record<string, string> = {
  a_text: 'text',
  a_boolean: 'boolean',
  an_integer: 'integer',
  a_bigint: 'bigint',
  a_numeric: 'numeric',
  a_real: 'real',
  a_date: 'date',
  a_timestamp: 'timestamptz',
  a_jsonb: 'jsonb',
  a_json: 'json',
  texts: 'text[]',
  integers: 'integer[]',
  a_uuid: 'uuid',
  a_bytea: 'bytea',
}
