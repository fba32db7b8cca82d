import fc from 'fast-check'
import { expect, test } from 'vitest'

import { proposeKind } from '../../../supabase/functions/_shared/parts/propose.ts'
import { GERMAN, US } from '../../lib/fake-formats.ts'
import { addDays } from '../../lib/days.ts'
import type { Formats } from '../../lib/formats.ts'
import { chooseColumn, proposeColumns, remember, type Remembered } from './columns.ts'
import { parseSheet } from './csv-file.ts'
import { COLUMNS, FOREIGN_COLUMNS } from './headers.ts'
import { type Choices, readingsIn, readSheet } from './lines.ts'
import { isAnswered, isUnread, previewOf, rowOf } from './preview.ts'
import { odometersOf } from './readings.ts'
import type { Propose } from './row.ts'

const BIKES = [
  { gear_id: 7, name: 'Domane', ids: [7] },
  { gear_id: 8, name: 'Hardtail', ids: [8] },
]
const propose: Propose = ({ name, type }) => proposeKind({ name, type, earlier: [] })

type Case = { choices?: Choices; formats?: Formats; remembered?: Remembered }

/** Reads a sheet. The Domane's rides reached each reading on a day of 2024, and 5,000 miles in all. */
function read(lines: readonly string[], { choices = {}, formats = US, remembered = {} }: Case = {}) {
  const sheet = parseSheet(lines.join('\r\n'))
  const proposal = proposeColumns(sheet, remembered)
  const compared = { items: [], bikes: BIKES, formats, propose, proposal }
  const reading = readSheet(sheet, compared, choices)
  const asked = readingsIn(reading)
  const reached = asked.map(({ gear_id, distances }) => ({
    gear_id,
    distance: gear_id === 7 ? 5000 * 1609 : 0,
    days: distances.map((meters) => (gear_id === 7 && meters <= 5000 * 1609 ? dayOf(meters) : null)),
  }))
  const log = { ...reading.log, odometers: odometersOf(asked, reached) }
  const preview = previewOf(
    reading,
    reading.lines.map((line) => rowOf(line, log)),
  )
  return { proposal, preview, asked, isUnread: isUnread({ preview, choices }), sheet }
}

/** A day later for each 100 miles. */
const dayOf = (meters: number) => addDays('2024-01-01', Math.floor(meters / 160_900))

const added = ({ preview }: ReturnType<typeof read>) =>
  preview.added.map(({ bike, values: { name, kind, position, cost, dateStarted, dateEnded } }) => [
    bike.name,
    name,
    kind,
    position,
    cost,
    dateStarted.slice(0, 10),
    dateEnded?.slice(0, 10) ?? null,
  ])
const messages = ({ preview }: ReturnType<typeof read>) =>
  preview.refused.map(({ line, messages }) => [line, ...messages])

const STRAVA = [
  'Bike Name,Component Type,Component Brand,Component Model',
  'Domane,Chain,KMC,X11',
  'Domane,Front Tire,Continental,GP 5000',
  'Hardtail,Saddle,,',
]

test('reads Strava’s components, and asks since when they are on each bike', () => {
  const asked = read(STRAVA)
  expect(asked.proposal).toMatchObject({ isSure: true, source: 'Strava’s components' })
  expect([asked.isUnread, asked.preview.starts.map(({ bike }) => bike.name)]).toEqual([
    true,
    ['Domane', 'Hardtail'],
  ])
  const both = { startDays: new Map([[7, '2023-04-01'] as const, [8, '2020-01-01'] as const]) }
  expect(added(read(STRAVA, { choices: both }))).toEqual([
    ['Domane', 'KMC X11', 'chain', null, 0, '2023-04-01', null],
    ['Domane', 'Continental GP 5000', 'tire', 'front', 0, '2023-04-01', null],
    ['Hardtail', 'Saddle', 'saddle', null, 0, '2020-01-01', null],
  ])
  const one = read(STRAVA, { choices: { startDays: new Map([[7, '2023-04-01'] as const]) } })
  expect([one.isUnread, one.preview.added.length, messages(one)]).toEqual([
    false,
    2,
    [[4, 'Start: Enter the start for Hardtail above.']],
  ])
})

const LUBELOGGER = 'Date,Description,Cost,Notes,Odometer,Tags'
const onDomane = { bikeId: 7 }

test('reads the service records of LubeLogger in American, German and no culture', () => {
  const us = [
    `${LUBELOGGER},extrafield_shop`,
    '11/22/2026,New chain,"$1,234.50",Waxed,0,,Here',
    '1/5/2026,Bleed,$5.00,,1200,a b,',
  ]
  const { proposal, preview } = read(us, { choices: onDomane })
  expect([proposal.isSure, proposal.source, preview.ignored]).toEqual([
    true,
    'a LubeLogger export',
    ['Odometer', 'Tags', 'extrafield_shop'],
  ])
  expect(added(read(us, { choices: onDomane }))).toEqual([
    ['Domane', 'New chain', 'chain', null, 1234.5, '2026-11-22', null],
    ['Domane', 'Bleed', null, null, 5, '2026-01-05', null],
  ])
  expect(preview.added[0]?.values.description).toBe('Waxed')
  const german = [LUBELOGGER, '22.11.2026,Neue Kette,"1.234,50\u{A0}€",,0,', '5.1.2026,Service,"€ 20,00",,0,']
  for (const formats of [US, GERMAN])
    expect(added(read(german, { formats, choices: onDomane }))).toEqual([
      ['Domane', 'Neue Kette', 'chain', null, 1234.5, '2026-11-22', null],
      ['Domane', 'Service', null, null, 20, '2026-01-05', null],
    ])
  const invariant = [LUBELOGGER, '11/22/2026,Chain,"¤1,234.50",,0,']
  expect(added(read(invariant, { choices: onDomane }))[0]?.[4]).toBe(1234.5)
})

test('asks which bike a LubeLogger export is for', () => {
  const { isUnread, preview } = read([LUBELOGGER, '11/22/2026,Chain,$5.00,,0,'])
  expect([isUnread, preview.bikes]).toEqual([true, BIKES])
})

const ODOMETER = 'Bike,Part,Installed at (mi),Removed at (mi),Price'

test('turns readings of the odometer into the days on which the rides reached them', () => {
  const sheet = read([ODOMETER, 'Domane,Chain,"1,000",2500,45', 'Domane,Rear tire,0 mi,,60'])
  expect([sheet.proposal.isSure, sheet.proposal.source]).toEqual([true, 'an odometer sheet'])
  expect(added(sheet)).toEqual([
    ['Domane', 'Chain', 'chain', null, 45, '2024-01-11', '2024-01-26'],
    ['Domane', 'Rear tire', 'tire', 'rear', 60, '2024-01-01', null],
  ])
  expect(sheet.preview.added.map(({ approximate }) => approximate)).toEqual([
    ['dateStarted', 'dateEnded'],
    ['dateStarted'],
  ])
})

test('refuses the lines of readings that the rides didn’t reach, and of those that are no readings', () => {
  const sheet = read([
    ODOMETER,
    'Domane,Chain,5001,,45',
    'Hardtail,Chain,10,,45',
    'Domane,Cassette,2000,1000,45',
    'Domane,Chain,1.500,,45',
    'Domane,Tire,8000 km,8100 km,45',
  ])
  expect(messages(sheet)).toEqual([
    [2, 'Odometer when installed “5001 mi”: Domane’s rides only reach 5,000.0\u{A0}mi.'],
    [3, 'Odometer when installed “10 mi”: Hardtail has no rides.'],
    [4, 'Odometer when removed “1000 mi”: Enter a reading that isn’t before the start.'],
    [5, 'Odometer when installed “1.500 mi”: 1.500 can mean 1.5 or 1,500. Enter 1.5 or 1500.'],
    [6, 'Odometer when removed “8100 km”: Domane’s rides only reach 8,045.0\u{A0}km.'],
  ])
  expect(sheet.preview.refused.map(({ wrong }) => wrong)).toEqual([
    ['installed_at'],
    ['installed_at'],
    ['removed_at'],
    ['installed_at'],
    ['removed_at'],
  ])
  const mended = new Map([
    [2, { installed_at: '4000' }],
    [4, { removed_at: '2100 mi' }],
  ])
  const again = read(
    [ODOMETER, 'Domane,Chain,5001,,45', 'Hardtail,Chain,10,,4', 'Domane,Cassette,2000,1000,45'],
    {
      choices: { mended, unit: 'mi' },
    },
  )
  expect(again.preview.added.map(({ line }) => line)).toEqual([2, 4])
})

test('asks for the unit if neither the header nor a cell says it', () => {
  const lines = ['Bike,Part,Installed at,Removed at', 'Domane,Chain,1000,2500', 'Domane,Tire,300 km,400 km']
  const asked = read(lines)
  expect([asked.isUnread, asked.preview.unit]).toEqual([true, { chosen: null }])
  const answered = read(lines, { choices: { unit: 'mi' } })
  expect([answered.isUnread, added(answered)]).toEqual([
    false,
    [
      ['Domane', 'Chain', 'chain', null, 0, '2024-01-11', '2024-01-26'],
      ['Domane', 'Tire', 'tire', null, 0, '2024-01-02', '2024-01-03'],
    ],
  ])
  expect(read([ODOMETER, 'Domane,Chain,1000,2500,4']).preview.unit).toBeNull()
})

test('reads dates where a sheet has them under the same headers', () => {
  const lines = ['Bike,Part,Installed at,Removed at', 'Domane,Chain,2024-02-01,2024-03-01']
  const { proposal, preview } = read(lines)
  expect([proposal.targets, proposal.isSure]).toEqual([['bike', 'name', 'dateStarted', 'dateEnded'], false])
  expect(preview.added[0]?.approximate).toEqual([])
})

test.each([
  [
    'Maintenance Item,Date Installed,Total Price,Category,Comments\nChain,2024-01-01,45,Consumable,x',
    ['name', 'dateStarted', 'cost', null, 'description'],
  ],
  ['Part,Type,Date,Mileage\nChain,drivetrain,2024-01-01,500', ['name', 'type', 'dateStarted', null]],
  ['ID,Vehicle,Description,Service Date\n1,Domane,Chain,2024-01-01', [null, 'bike', 'name', 'dateStarted']],
  ['Item,Shop\nChain,Here', ['name', null]],
  ['Item,Shop\nChain,https://shop.example', ['name', 'link']],
  ['sep=;\nTeil;Datum\nKette;1.2.2024', [null, null]],
] as const)('proposes the columns of %j, and asks', (text, targets) => {
  expect(proposeColumns(parseSheet(text))).toMatchObject({ targets, isSure: false, isOwn: false })
})

test('refuses lines of a column that the owner has chosen wrongly, by line', () => {
  const lines = ['Maintenance Item,When,Category', 'Chain,2024-01-01,Consumable', 'Tire,soon,Tires']
  const targets = ['name', 'dateStarted', 'type'] as const
  expect(messages(read(lines, { choices: { targets, bikeId: 7 } }))).toEqual([
    [2, 'Type “Consumable”: Choose one from the list.'],
    [3, 'Start “soon”: Enter a date as MM/DD/YYYY.'],
  ])
})

test('joins names and descriptions of several columns, and gives up an earlier column of the others', () => {
  expect(chooseColumn(['name', null], 1, 'name')).toEqual(['name', 'name'])
  expect(chooseColumn(['cost', 'name'], 1, 'cost')).toEqual([null, 'cost'])
  expect(chooseColumn([null, 'name'], 1, null)).toEqual([null, null])
  const targets = ['name', 'name', 'description', 'description', 'dateStarted'] as const
  const { preview } = read(
    ['Make,Model,Size,Shop,Bought', 'KMC,X11,11,Here,2024-01-01', ',Bell,,There,2024-01-01'],
    {
      choices: { targets, bikeId: 7 },
    },
  )
  expect(preview.added.map(({ values: { name, description } }) => [name, description])).toEqual([
    ['KMC X11', '11, Here'],
    ['Bell', 'There'],
  ])
})

test('remembers the columns and the unit by the header, also for lines that come later', () => {
  const header = 'Teil;Datum;Km'
  const { sheet } = read([header, 'Kette;1.2.2024;100'])
  const said = { targets: ['name', null, 'installed_at'] as const, unit: 'km' as const }
  const remembered = remember({}, sheet, said)
  expect(proposeColumns(parseSheet(`${header}\nReifen;2.2.2024;200`), remembered)).toMatchObject({
    ...said,
    isSure: true,
  })
  expect(proposeColumns(parseSheet('Teil;Datum;Preis\nReifen;2.2.2024;200'), remembered).isSure).toBe(false)
})

test('forgets the oldest of many headers', () => {
  let all: Remembered = {}
  const headers = Array.from({ length: 60 }, (_, nth) => `Item,Date ${nth}`)
  for (const header of headers)
    all = remember(all, parseSheet(`${header}\n1,2`), { targets: [null, 'name'], unit: null })
  expect([Object.keys(all).length, proposeColumns(parseSheet(`${headers[59]}\n1,2`), all).isSure]).toEqual([
    50,
    true,
  ])
  expect(proposeColumns(parseSheet(`${headers[0]}\n1,2`), all).isSure).toBe(false)
})

/** Only names and descriptions are joined. */
const isOnce = (targets: readonly (string | null)[]) => {
  const once = targets.filter((target) => target !== null && target !== 'name' && target !== 'description')
  return new Set(once).size === once.length
}

test('never proposes or keeps one meaning for two columns, whatever the headers are', () => {
  const header = fc.oneof(
    fc.constantFrom(
      'Part',
      'Item',
      'Date',
      'date',
      'Installed',
      'Odometer (km)',
      'Price',
      'Type',
      'Notes',
      '',
    ),
    fc.string({ maxLength: 8 }).filter((text) => !/["\r\n,;\t]/.test(text)),
  )
  const sheets = fc.array(fc.tuple(header, fc.constantFrom('', '12', '2024-01-01', 'Chain')), {
    minLength: 2,
    maxLength: 8,
  })
  fc.assert(
    fc.property(sheets, fc.nat(7), fc.constantFrom(...FOREIGN_COLUMNS, null), (columns, nth, chosen) => {
      const text = [0, 1].map((row) => columns.map((column) => column[row]).join(',')).join('\n')
      const sheet = parseSheet(text)
      fc.pre(sheet.lines.length > 0 && sheet.headers.filter(Boolean).length > 1)
      const { targets, isOwn } = proposeColumns(sheet)
      fc.pre(!isOwn)
      expect(targets).toHaveLength(sheet.headers.length)
      expect(isOnce(targets)).toBe(true)
      expect(targets.every((target) => target === null || COLUMNS.includes(target))).toBe(true)
      expect(isOnce(chooseColumn(targets, nth, chosen))).toBe(true)
    }),
  )
})

test('asks which bike has another name in the file', () => {
  const lines = [ODOMETER, 'Trek,Chain,1000,2500,45', 'domane,Tire,500,700,5', 'Old one,Bell,1,2,5']
  const asked = read(lines)
  expect([asked.preview.strangers, asked.isUnread, messages(asked)]).toEqual([
    ['Trek', 'Old one'],
    false,
    [
      [2, 'Bike: “Trek” doesn’t exist.'],
      [4, 'Bike: “Old one” doesn’t exist.'],
    ],
  ])
  const answered = read(lines, { choices: { named: new Map([['Trek', 7]]) } })
  expect(added(answered).map(([bike, name]) => [bike, name])).toEqual([
    ['Domane', 'Chain'],
    ['Domane', 'Tire'],
  ])
  expect([answered.preview.strangers, answered.preview.refused.map(({ line }) => line)]).toEqual([
    ['Trek', 'Old one'],
    [4],
  ])
  const strava = [STRAVA[0]!, 'Trek,Chain,KMC,X11']
  expect(messages(read(strava))).toEqual([[2, 'Bike: “Trek” doesn’t exist.']])
  expect(read(strava, { choices: { named: new Map([['Trek', 8]]) } }).preview.starts).toEqual([
    { bike: BIKES[1], day: null },
  ])
})

test('needs an answer before it can be imported', () => {
  const { preview } = read(STRAVA)
  expect(isAnswered({ preview, choices: {} })).toBe(false)
  const choices = { startDays: new Map([[7, '2023-04-01'] as const]) }
  expect(isAnswered({ preview: read(STRAVA, { choices }).preview, choices })).toBe(true)
})
