import fc from 'fast-check'

/** A row of `rides` with timestamps in milliseconds. */
export type Row = Record<string, string | number | boolean | null>

/** A trip from Ride with GPS and the row it should become. */
export interface TripCase {
  trip: Record<string, unknown>
  row: Row
}

type Field = { key: string; sent: unknown; stored: Row[string] }

const same = (key: string, value: fc.Arbitrary<Row[string]>): fc.Arbitrary<Field> =>
  value.map((stored) => ({ key, sent: stored, stored }))

const orNothing = (field: fc.Arbitrary<Field>): fc.Arbitrary<Field> =>
  fc
    .tuple(field, fc.constantFrom('value', 'value', 'value', 'value', 'null', 'absent'))
    .map(([{ key, sent, stored }, kind]) =>
      kind === 'value'
        ? { key, sent, stored }
        : { key, sent: kind === 'null' ? null : undefined, stored: null },
    )

const number = (key: string, max: number) =>
  orNothing(
    same(
      key,
      fc.integer({ min: 0, max: max * 10 }).map((tenths) => tenths / 10),
    ),
  )

const seconds = (key: string) =>
  orNothing(
    fc.tuple(fc.integer({ min: 0, max: 400_000 }), fc.boolean()).map(([stored, asClock]) => ({
      key,
      sent: asClock ? clock(stored) : stored,
      stored,
    })),
  )

const clock = (total: number) =>
  [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')

const moment = (key: string) =>
  orNothing(
    fc.integer({ min: Date.UTC(2010, 0) / 1000, max: Date.UTC(2030, 0) / 1000 }).map((second) => ({
      key,
      sent: new Date(second * 1000).toISOString().replace('.000', ''),
      stored: second * 1000,
    })),
  )

// The account's time zone.
const HOME = 'America/Los_Angeles'
const zone = fc.constantFrom<Field>(
  { key: 'time_zone', sent: 'Pacific/Auckland', stored: 'Pacific/Auckland' },
  { key: 'time_zone', sent: 'London', stored: 'Europe/London' },
  { key: 'time_zone', sent: 'Eastern Time (US & Canada)', stored: 'America/New_York' },
  { key: 'time_zone', sent: 'Middle-earth', stored: HOME },
  { key: 'time_zone', sent: null, stored: HOME },
)

const photo = fc.constantFrom<Field>(
  { key: 'highlighted_photo_id', sent: 0, stored: null },
  { key: 'highlighted_photo_id', sent: null, stored: null },
  { key: 'highlighted_photo_id', sent: 771, stored: 771 },
)

const name = orNothing(
  same(
    'name',
    fc.constantFrom('', 'Morning Ride', 'O\'Neill\'s \\ "loop"', 'Zürich 🚲', '%s; drop table rides'),
  ),
)

const kind = fc.constantFrom(
  {
    sent: { is_gps: true, is_stationary: false, first_lat: 45.1 },
    row: { is_stationary: false, has_map: true },
  },
  {
    sent: { is_gps: true, is_stationary: true, first_lat: null },
    row: { is_stationary: true, has_map: false },
  },
  { sent: { is_gps: false, first_lat: 45.1 }, row: { is_stationary: false, has_map: false } },
)

const MEASURES = [
  'max_speed',
  'avg_speed',
  'avg_hr',
  'max_hr',
  'avg_watts',
  'max_watts',
  'avg_cad',
  'elevation_gain',
]

const fields = fc.tuple(
  name,
  orNothing(same('gear_id', fc.constantFrom(1, 2, 900_003))),
  moment('created_at'),
  moment('departed_at'),
  moment('updated_at'),
  zone,
  number('distance', 300_000),
  seconds('duration'),
  seconds('moving_time'),
  ...MEASURES.map((key) => number(key, 250)),
  photo,
)

const anyTrip = (id: number): fc.Arbitrary<TripCase> =>
  fc.tuple(fields, kind).map(([all, { sent, row }]) => {
    const known = all.filter((field) => field.sent !== undefined).map((field) => [field.key, field.sent])
    return {
      trip: { id, ...Object.fromEntries(known), ...sent, utc_offset: -28800, unheard_of: { a: [1] } },
      row: { id, ...Object.fromEntries(all.map((field) => [field.key, field.stored])), ...row },
    }
  })

/** Fields that every ride has. */
const REQUIRED = ['distance', 'moving_time', 'duration', 'departed_at', 'created_at']
/** Fields for which null is a valid value. */
const OPTIONAL = ['gear_id', 'name', ...MEASURES, 'highlighted_photo_id']

const holdsForMost = <T>(all: T[], has: (one: T) => boolean) => all.filter(has).length * 2 > all.length

export function lostField(stored: Row[], list: TripCase[]): string | undefined {
  return [...REQUIRED, ...OPTIONAL].find(
    (field) =>
      holdsForMost(stored, (row) => row[field] !== null) &&
      holdsForMost(list, ({ trip }) => (REQUIRED.includes(field) ? trip[field] == null : !(field in trip))),
  )
}

const leaveOut = (fields: string[], { trip, row }: TripCase): TripCase => ({
  trip: Object.fromEntries(Object.entries(trip).filter(([key]) => !fields.includes(key))),
  row: { ...row, ...Object.fromEntries(fields.map((field) => [field, null])) },
})

const rarely = <T>(value: fc.Arbitrary<T>, otherwise: T) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary: value })

/** Generates a list of trips in any order, with unique ids. Some lists lack fields after a certain row. */
export const anyList: fc.Arbitrary<TripCase[]> = fc
  .tuple(
    fc
      .uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 25 })
      .chain((ids) => fc.tuple(...ids.map(anyTrip))),
    rarely(fc.subarray([...REQUIRED, ...OPTIONAL], { minLength: 1, maxLength: 3 }), []),
    fc.nat(20),
  )
  .map(([list, fields, from]) => list.map((one, index) => (index < from ? one : leaveOut(fields, one))))
