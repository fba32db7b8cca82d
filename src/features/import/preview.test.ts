import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'

import { END_REASONS, TYPES } from '../../../supabase/functions/_shared/limits.ts'
import { UNKNOWN_KIND } from '../../../supabase/functions/_shared/kinds.ts'
import { NOT_LINKS } from '../../../tests/links.ts'
import { GERMAN, KILOMETERS, US } from '../../lib/fake-formats.ts'
import type { Formats } from '../../lib/formats.ts'
import type { Settings } from '../../lib/settings.ts'
// One test imports an exported file.
// oxlint-disable-next-line no-restricted-imports
import { logToCsv } from '../export/log-csv.ts'
import { CSV_FIELDS, type CsvField, type CsvItem } from '../entries/csv.ts'
import { ITEM } from '../entries/fake-item.ts'
import { type Item } from '../entries/fields.ts'
import { proposeColumns } from './columns.ts'
import { parseSheet } from './csv-file.ts'
import { type Choices, readSheet } from './lines.ts'
import { type Preview, previewOf as compare, refuse, rowOf } from './preview.ts'
import type { Propose } from './row.ts'
import { summaryOf } from './summary.ts'

const BIKES = [
  { gear_id: 7, name: 'Domane', ids: [7, 3] },
  { gear_id: 8, name: '=Hardtail; "the old one"', ids: [8] },
]
const CHAIN: CsvItem = {
  ...ITEM,
  id: 3,
  type: 'Drivetrain',
  description: null,
  link: null,
  cost: 45.1,
  dateStarted: '2024-01-10T14:30:00.123456',
  dateEnded: '2024-06-01T01:00:00',
  part_id: 21,
  ended_as: 'worn',
}
const HEAD = 'ID,Bike ID,Bike,Type,Name,Description,Cost,Start,End'

const exported = (items: readonly Item[]) =>
  logToCsv(
    items.map((item) => ({
      item,
      bike: BIKES.find(({ gear_id }) => gear_id === item.bikeId)!,
      usage: undefined,
    })),
    KILOMETERS,
  )
const previewOf = (
  text: string,
  items: readonly CsvItem[],
  bikes: typeof BIKES,
  formats: Formats,
  choices?: Choices,
  propose: Propose = () => UNKNOWN_KIND,
) => {
  const sheet = parseSheet(text)
  const compared = { items, bikes, formats, propose, proposal: proposeColumns(sheet) }
  const reading = readSheet(sheet, compared, choices)
  const log = { ...reading.log, odometers: new Map() }
  return compare(
    reading,
    reading.lines.map((line) => rowOf(line, log)),
  )
}
const preview = (text: string, items: readonly Item[] = [CHAIN]) => previewOf(text, items, BIKES, US)
const lines = (...rows: string[]) => preview([HEAD, ...rows].join('\n'))
const refusals = (row: string) => lines(row).refused.flatMap(({ messages }) => messages)

const counts = ({ added, changed, refused, unchanged, present }: Preview) => ({
  added: added.length,
  changed: changed.length,
  refused: refused.length,
  unchanged,
  present: present.length,
})
const NOTHING = { added: 0, changed: 0, refused: 0, unchanged: 0, present: 0 }

const day = fc
  .date({ min: new Date('1900-01-02'), max: new Date('2100-12-30'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const hour = fc.constantFrom('01:00:00', '00:00:00', '14:30:00', '23:59:59.999999')
const moment = fc.tuple(day, hour).map(([day, hour]) => `${day}T${hour}`)
const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.string({ unit: fc.constantFrom("'", '=', '-', '"', ',', ';', '\t', '\n', '\r\n', 'a', ' ', 'é', '🚲') }),
)
const values = fc.record({
  bikeId: fc.constantFrom(7, 8),
  type: fc.option(fc.constantFrom(...TYPES)),
  name: text.filter((name) => name.trim() !== '' && !name.includes('\0')),
  description: fc.option(text.filter((description) => !description.includes('\0'))),
  link: fc.option(fc.webUrl({ withQueryParameters: true, withFragments: true })),
  cost: fc.integer({ min: -999_999, max: 999_999 }).map((cents) => cents / 100),
  dateStarted: moment,
  dateEnded: fc.option(moment),
  ended_as: fc.option(fc.constantFrom(...END_REASONS)),
  earlier_distance: fc.option(fc.integer({ min: 0, max: 160_900_000 })),
  earlier_moving_time: fc.option(fc.integer({ min: 0, max: 36_000_000 })),
})
const log = fc.array(values, { minLength: 1, maxLength: 8 }).map((items) =>
  items.map((item, place) => {
    const endsFirst = item.dateEnded !== null && item.dateEnded < item.dateStarted
    const isOpen = item.dateEnded === null || endsFirst
    return Object.assign(
      { id: place + 1, part_id: 20 + place, kind: null, position: null },
      item,
      isOpen && { dateEnded: null, ended_as: null },
    )
  }),
)

const rewritten = (csv: string, delimiter: string, newline: string) =>
  Papa.unparse(Papa.parse<string[]>(csv.trimEnd()).data, { delimiter, newline })

test('importing an exported log changes nothing, even after a spreadsheet saved it', () => {
  fc.assert(
    fc.property(
      log,
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n'),
      (items, delimiter, newline) => {
        const csv = exported(items)
        expect(counts(preview(csv, items))).toEqual({ ...NOTHING, unchanged: items.length })
        const again = rewritten(csv, delimiter, newline)
        expect(counts(preview(again, items))).toEqual({ ...NOTHING, unchanged: items.length })
      },
    ),
  )
})

test('accepts earlier usage only for the first entry of a part', () => {
  const first = { ...CHAIN, earlier_distance: 1_930_800, earlier_moving_time: null }
  const next = { ...CHAIN, id: 4, dateStarted: '2024-07-01T01:00:00', dateEnded: null, ended_as: null }
  const items = [first, next]
  expect(counts(preview(exported(items), items))).toEqual({ ...NOTHING, unchanged: 2 })
  const refused = (...rows: string[]) =>
    preview(['ID,Bike ID,Name,Start,End,Earlier distance (m),Part', ...rows].join('\n'), items).refused
  const known = '3,7,Chain,2024-01-10,2024-06-01,1930800,21'
  const message = 'Earlier distance (m): Only the first log entry of a part has this.'
  expect(refused(known, '4,7,Chain,2024-07-01,,,21')).toEqual([])
  for (const row of ['4,7,Chain,2024-07-01,,5,21', ',8,Chain,2023-01-01,2023-02-01,5,21'])
    expect(refused(known, row)).toMatchObject([{ line: 3, messages: [message] }])
  expect(refused('3,7,Chain,2024-01-10,2024-06-01,-5,21')).toHaveLength(1)
})

test('importing an edited file makes exactly that change', () => {
  const edited = fc.constantFrom<[CsvField, string, unknown]>(
    ['type', 'brakes', 'Brakes'],
    ['name', '  New name ', 'New name'],
    ['description', 'New text', 'New text'],
    ['link', ' https://shop.example/a ', 'https://shop.example/a'],
    ['cost', '$1,234.50', 1234.5],
    ['dateStarted', '1/1/1900', '1900-01-01 01:00:00'],
    ['dateEnded', '2100-12-31', '2100-12-31 01:00:00'],
    ['earlier_distance', '1,930,800', 1_930_800],
  )
  fc.assert(
    fc.property(log, fc.nat(), edited, (items, nth, [field, cell, value]) => {
      const item = items[nth % items.length]!
      const table = Papa.parse<string[]>(exported(items).trimEnd()).data
      const place = table[0]!.indexOf(CSV_FIELDS[field].label)
      table[items.indexOf(item) + 1]![place] = cell
      const { changed, ...others } = preview(Papa.unparse(table), items)
      const isChange = item[field] !== value
      expect(changed.map(({ after }) => after)).toEqual(isChange ? [{ ...item, [field]: value }] : [])
      expect(changed.flatMap(({ changes }) => changes.map((change) => change.field))).toEqual(
        isChange ? [field] : [],
      )
      expect(counts({ ...others, changed })).toEqual({
        ...NOTHING,
        changed: Number(isChange),
        unchanged: items.length - Number(isChange),
      })
    }),
  )
})

test('adds a log to an empty tracker, and adds nothing the second time', () => {
  fc.assert(
    fc.property(log, (items) => {
      const csv = exported(items)
      const first = preview(csv, [])
      expect(counts(first)).toEqual({ ...NOTHING, added: items.length })
      const made = first.added.map(({ bike, values, partId }, place) =>
        Object.assign({ id: 100 + place, bikeId: bike.gear_id, part_id: partId!, position: null }, values),
      )
      expect(counts(preview(csv, made))).toEqual({ ...NOTHING, present: items.length })
    }),
  )
})

test('matches a line without an ID to an item whose ID isn’t in the file, and adds the rest', () => {
  const twice = [
    HEAD,
    '3,7,,Drivetrain,Chain,,45.1,2024-01-10,2024-06-01',
    ',7,,Drivetrain,Chain,,45.1,2024-01-10,2024-06-01',
  ]
  expect(counts(preview(twice.join('\n')))).toEqual({ ...NOTHING, unchanged: 1, added: 1 })
  expect(counts(preview(twice.join('\n'), [CHAIN, { ...CHAIN, id: 4 }]))).toEqual({
    ...NOTHING,
    unchanged: 1,
    present: 1,
  })
})

test('keeps the values of missing columns and ignores unknown ones', () => {
  const { changed } = preview('Cost;ID;Name;Use Kilometers\n50;3;Chain;12')
  expect(changed.map(({ after }) => after)).toEqual([{ ...CHAIN, cost: 50 }])
})

test('gives a new item the defaults of the log’s new row, but requires a start', () => {
  const { added } = lines(',,Domane,,Bell,,,12/24/2023,')
  const nothing = { type: null, description: null, dateEnded: null, ended_as: null }
  const earlier = { earlier_distance: null, earlier_moving_time: null }
  const values = { name: 'Bell', cost: 0, dateStarted: '2023-12-24 01:00:00', ...nothing, ...earlier }
  expect(added).toMatchObject([{ bike: BIKES[0], values }])
  expect(refusals(',7,,,Bell,,,,')).toEqual(['Start: Enter a date as MM/DD/YYYY.'])
})

test('finds a bike by the id of a bike whose log is attached to it', () => {
  expect(refusals('3,3,,Drivetrain,Chain,,45.1,2024-01-10,')).toEqual([])
  const { added } = lines(',3,,,Bell,,1,2024-01-10,')
  expect(added).toMatchObject([{ bike: BIKES[0] }])
})

test.each([
  ['3,7,,Drivetrain,,,45.1,2024-01-10,', ['Name: Enter a value.']],
  ['3,7,,Motor,Chain,,45.1,2024-01-10,', ['Type “Motor”: Choose one from the list.']],
  ['3,7,,,Chain,,05. Okt,2024-01-10,', ['Cost “05. Okt”: Enter an amount such as 45 or 1,234.']],
  ['3,7,,,Chain,,,2024-01-10,', ['Cost: Enter a value.']],
  ['3,7,,,Chain,,1,2024-02-30,', ['Start “2024-02-30”: Enter a date as MM/DD/YYYY.']],
  ['3,7,,,Chain,,1,2024-02-01,2024-01-31', ['End “2024-01-31”: Enter a date on or after the start.']],
  ['3,8,,,Chain,,1,2024-01-10,', ['Bike: Log entries can’t move to another bike.']],
  [
    '3,7,"=Hardtail; ""the old one""",,Chain,,1,2024-01-10,',
    ['Bike: Log entries can’t move to another bike.'],
  ],
  ['x,7,,,Chain,,1,2024-01-10,', ['ID: “x” is not a number.']],
  [',9,,,Chain,,1,2024-01-10,', ['Bike: “9” doesn’t exist.']],
  [',,,,Chain,,1,2024-01-10,', ['Bike: Enter a bike.']],
  [',8,Domane,,Chain,,1,2024-01-10,', ['Bike: “Domane” has a different Bike ID.']],
  ['3,7,,,Chain,,1', ['This line has too few cells.']],
  ['3,7,,,Chain, KMC, nickel,1,2024-01-10,2024-01-11', ['This line has more cells than the first one.']],
  ['3,7,,"Chain,,1,2024-01-10,', ['A quotation mark is missing its pair.']],
])('refuses %s with a message for every problem', (row, messages) => {
  expect(refusals(row)).toEqual(messages)
})

test('numbers lines as a spreadsheet does, including blank lines and cells with line breaks', () => {
  const { refused } = lines('3,7,,,"two\nlines",,1,2024-01-10,', ',,,,,,,,', '', 'x,7,,,Chain,,1,2024-01-10,')
  expect(refused.map(({ line }) => line)).toEqual([5])
})

test('ignores changed line breaks within a cell when matching a line without an ID', () => {
  const item = { ...CHAIN, description: 'KMC\nnickel' }
  const line = ',7,,Drivetrain,Chain,"KMC\r\nnickel",45.1,2024-01-10,2024-06-01'
  expect(counts(preview([HEAD, line].join('\r\n'), [item]))).toEqual({ ...NOTHING, present: 1 })
})

test('refuses a second line with the same ID, even if the log doesn’t have it', () => {
  const unknown = '9,7,,Drivetrain,Chain,,45.1,2024-01-10,2024-06-01'
  expect(lines(unknown, unknown).refused).toEqual([
    {
      line: 3,
      kind: 'refused',
      name: 'Chain',
      wrong: [],
      cells: {},
      messages: ['ID: 9 is already on line 2.'],
    },
  ])
})

test('clears the reason with the end, and leaves both if the file has neither column', () => {
  const [line] = lines('3,7,,Drivetrain,Chain,,45.1,2024-01-10,').changed
  expect(line?.after).toEqual({ ...CHAIN, dateEnded: null, ended_as: null })
  expect(counts(preview('ID,Name\n3,Chain'))).toEqual({ ...NOTHING, unchanged: 1 })
})

const propose = ({ name }: Pick<Item, 'name'>) => ({
  kind: name === 'GP 5000' ? ('tire' as const) : null,
  position: null,
})

const kinds = (...rows: string[]) => {
  const { added, changed, refused } = previewOf(
    rows.join('\n'),
    [{ ...CHAIN, kind: 'chain' }],
    BIKES,
    US,
    {},
    propose,
  )
  return [
    ...added.map(({ values }) => [values.kind, values.position]),
    ...changed.map(({ changes }) => changes),
    ...refused.map(({ messages }) => messages),
  ]
}

test('reads what a part is, or proposes it if the file has no such column', () => {
  expect(kinds('Bike,Name,Start', 'Domane,GP 5000,2024-07-01')).toEqual([['tire', null]])
  const head = 'ID,Bike,Name,Start,End,Kind,Position'
  expect(kinds(head, ',Domane,GP 5000,2024-07-01,,Tire,front', ',Domane,GP 5000,2024-07-02,,,')).toEqual([
    ['tire', 'front'],
    [null, null],
  ])
  expect(kinds(head, '3,Domane,Chain,2024-01-10,2024-06-01,belt,')).toEqual([
    [{ field: 'kind', from: 'chain', to: 'belt' }],
  ])
  const noEnds = 'Position: Only a kind of part with a front and a rear has a position.'
  expect(kinds(head, ',Domane,X,2024-07-01,,chain,front', ',Domane,X,2024-07-01,,,front')).toEqual([
    [noEnds],
    [noEnds],
  ])
  expect(kinds(head, ',Domane,X,2024-07-01,,Motor,')).toEqual([['Kind “Motor”: Choose one from the list.']])
})

const withParts = (...rows: string[]) =>
  preview(['ID,Bike ID,Name,Start,End,Ended as,Part', ...rows].join('\n'))

const KNOWN = '3,7,Chain,2024-01-10,2024-06-01,Worn,21'

test('adds periods of a part in the log and of a new part', () => {
  const { added, refused } = withParts(
    KNOWN,
    ',8,Chain,2024-06-01,,,21',
    ',7,Wheels,2024-01-01,2024-02-01,Moved,5',
    ',8,Wheels,2024-02-01,,,5',
    ',8,Bell,2024-02-01,,,',
  )
  expect(refused).toEqual([])
  expect(added.map(({ partOf, partId, values }) => [partOf?.id, partId, values.ended_as])).toEqual([
    [3, 21, null],
    [undefined, 5, 'moved'],
    [undefined, 5, null],
    [undefined, null, null],
  ])
})

test('does not match part numbers from another tracker’s log', () => {
  const { added, refused } = withParts(
    '900,7,Saddle,2024-02-01,,,21',
    '901,8,Saddle,2023-01-01,2024-02-01,,21',
  )
  expect(refused).toEqual([])
  expect(added.map(({ partOf, partId }) => [partOf, partId])).toEqual([
    [null, 21],
    [null, 21],
  ])
})

test('matches a part number by a line that equals a log entry', () => {
  const copied = { ...CHAIN, type: null, cost: 0, dateStarted: '2024-01-10T01:00:00' }
  const { added, present } = preview(
    [
      'ID,Bike ID,Name,Start,End,Part',
      '900,7,Chain,2024-01-10,2024-06-01,4',
      '901,8,Chain,2024-06-01,,4',
    ].join('\n'),
    [copied],
  )
  expect(present).toHaveLength(1)
  expect(added.map(({ partOf }) => partOf)).toEqual([copied])
})

test.each([
  ['3,7,Chain,2024-01-10,2024-06-01,,22', 'Part: Log entries can’t become another part.'],
  [',8,Chain,2024-06-01,,,x', 'Part: “x” is not a number.'],
  [',8,Chain,2024-06-01,,worn,', 'Ended as: Enter an end first.'],
  [',8,Chain,2024-06-01,2024-06-02,lost,', 'Ended as “lost”: Choose one from the list.'],
])('refuses %s', (row, message) => {
  expect(withParts(row).refused.flatMap(({ messages }) => messages)).toEqual([message])
})

test('refuses lines that the database refuses, and imports the others', () => {
  const file = [HEAD, '3,7,,,Chain,,45.1,2024-02-10,', ',8,,,Bell,,,2024-02-01,', ',8,,,Horn,,,2024-02-01,']
  const after = refuse(
    preview(file.join('\n')),
    new Map([
      [2, 'Taken.'],
      [4, 'Gone.'],
    ]),
  )
  expect(counts(after)).toEqual({ ...NOTHING, added: 1, refused: 2 })
  expect(after.refused).toMatchObject([
    { line: 2, name: 'Chain', messages: ['Taken.'] },
    { line: 4, name: 'Horn', messages: ['Gone.'] },
  ])
  expect(summaryOf(after)).toBe('1 to add, 2 can’t be imported. Other log entries stay as they are.')
})

test.each([
  ['', /must contain the column names/],
  ['Ride,Gear\n', /must contain the column names/],
  ['Name,Cost,name\nChain,1,Belt', /two columns named “Name”/],
  [`Name\n${'x\n'.repeat(10_001)}`, /more than 10,000 lines/],
])('refuses a file that begins with %j', (text, message) => {
  expect(() => preview(text.slice(0, 30_000))).toThrow(message)
})

test.each(NOT_LINKS)('refuses the link %j', (link) => {
  const { refused } = preview(`Bike ID,Name,Start,Link\n7,Bell,2024-01-10,"${link}"`)
  expect(refused).toMatchObject([
    { messages: [expect.stringMatching(/^Link “[^]+”: Enter a link that begins/)] },
  ])
})

const wrong = ({ refused }: Preview) => refused.map(({ line, wrong }) => [line, ...wrong])

test('reads cells as the owner has mended them, and says which can be mended', () => {
  const text =
    'Bike ID,Name,Start,End,Cost\n7,Bell,2024-02-31,,1.2.3\n9,Horn,2024-02-01,,5\n7,Fit,2024-02-02,2024-02-01,5'
  const mend = (mended: [number, object][]) => previewOf(text, [], BIKES, US, { mended: new Map(mended) })
  expect(wrong(mend([]))).toEqual([[2, 'cost', 'dateStarted'], [3], [4, 'dateEnded']])
  const mended = mend([
    [2, { cost: '12', dateStarted: '2024-02-28' }],
    [4, { dateEnded: 'x' }],
  ])
  expect(wrong(mended)).toEqual([[3], [4, 'dateEnded']])
  expect(mended.added).toMatchObject([{ line: 2, values: { cost: 12, dateStarted: '2024-02-28 01:00:00' } }])
})

const startsOf = (rows: string[], order?: Settings['dates']) =>
  previewOf(['Bike,Name,Cost (EUR),Start', ...rows].join('\n'), [], BIKES, GERMAN, {
    order: order ?? null,
  }).added.map(({ values }) => values.dateStarted.slice(0, 10))

test('reads dates in the owner’s order or as ISO, and in the order that the owner answers', () => {
  const rows = ['Domane,Chain,45.5,03.04.2026', 'Domane,Tire,45.5,2026-04-05', 'Domane,Bell,12,5.6.26']
  expect(startsOf(rows)).toEqual(['2026-04-03', '2026-04-05', '2026-06-05'])
  expect(startsOf(rows, 'MM/DD/YYYY')).toEqual(['2026-03-04', '2026-04-05', '2026-05-06'])
})

test('an export with other settings is read back unchanged, even if the settings have changed since', () => {
  const item = { ...CHAIN, name: 'Chain', cost: 45.25 }
  const line = { item, bike: BIKES[0]!, usage: undefined }
  for (const one of [US, GERMAN])
    for (const other of [US, GERMAN])
      expect(counts(previewOf(logToCsv([line], one), [item], BIKES, other))).toEqual({
        ...NOTHING,
        unchanged: 1,
      })
})

test.each([
  ['45 €', 45],
  ['EUR 45.00', 45],
  ['CHF45.-', 45],
  ['45,-', 45],
  ['-£1,234.50', -1234.5],
])('reads the cost %s', (cell, cost) => {
  expect(lines(`,7,,,Bell,,"${cell}",2024-01-01,`).added[0]?.values.cost).toBe(cost)
})

test('reads a type in singular, a bike’s name in any case, and instants', () => {
  const { added } = lines(',,domane,wheel,Rim,,,2026-04-03T00:00:00Z,', ',,DOMANE,Tyres,Gravel,,,2026-04-03,')
  expect(added.map(({ bike, values }) => [bike.name, values.type, values.dateStarted.slice(0, 10)])).toEqual([
    ['Domane', 'Wheels', '2026-04-03'],
    ['Domane', 'Tires', '2026-04-03'],
  ])
})

test('skips what is above the header, and names the columns that it leaves out', () => {
  const file = ['sep=;', 'My bikes', '', 'Bike;Name;Start;Notes;', 'Domane;Bell;2024-01-01;Loud;']
  const { added, ignored } = preview(file.join('\n'))
  expect(added.map(({ line, values }) => [line, values.name])).toEqual([[5, 'Bell']])
  expect(ignored).toEqual(['Notes'])
})

test('asks once for the bike of a file that names none', () => {
  const file = 'Name,Start\nBell,2024-01-01\nHorn,2024-01-02'
  const asked = preview(file)
  expect([asked.bikes, counts(asked)]).toEqual([BIKES, { ...NOTHING, refused: 2 }])
  const answered = previewOf(file, [], BIKES, US, { bikeId: 8 })
  expect(answered.added.map(({ bike }) => bike.gear_id)).toEqual([8, 8])
  expect(preview('Bike,Name,Start\nDomane,Bell,2024-01-01\n,Horn,2024-01-02').bikes).toEqual([])
})
