import fc from 'fast-check'

/** A column of `rides`, as the database tells it once moments are milliseconds. */
export type Row = Record<string, string | number | boolean | null>

/** A trip as Ride with GPS may tell it, and the row that it stands for. */
export interface Told {
  trip: Record<string, unknown>
  row: Row
}

type Field = { key: string; told: unknown; stored: Row[string] }

const same = (key: string, value: fc.Arbitrary<Row[string]>): fc.Arbitrary<Field> =>
  value.map((stored) => ({ key, told: stored, stored }))

/** A value, or nothing: null, or not even the key. */
const orNothing = (field: fc.Arbitrary<Field>): fc.Arbitrary<Field> =>
  fc
    .tuple(field, fc.constantFrom('value', 'value', 'null', 'absent'))
    .map(([{ key, told, stored }, kind]) =>
      kind === 'value'
        ? { key, told, stored }
        : { key, told: kind === 'null' ? null : undefined, stored: null },
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
      told: asClock ? clock(stored) : stored,
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
      told: new Date(second * 1000).toISOString().replace('.000', ''),
      stored: second * 1000,
    })),
  )

// The user of these trips is at home in Los Angeles.
const HOME = 'America/Los_Angeles'
const zone = fc.constantFrom<Field>(
  { key: 'time_zone', told: 'Pacific/Auckland', stored: 'Pacific/Auckland' },
  { key: 'time_zone', told: 'London', stored: 'Europe/London' },
  { key: 'time_zone', told: 'Eastern Time (US & Canada)', stored: 'America/New_York' },
  { key: 'time_zone', told: 'Middle-earth', stored: HOME },
  { key: 'time_zone', told: null, stored: HOME },
)

const photo = fc.constantFrom<Field>(
  { key: 'highlighted_photo_id', told: 0, stored: null },
  { key: 'highlighted_photo_id', told: null, stored: null },
  { key: 'highlighted_photo_id', told: 771, stored: 771 },
)

const name = orNothing(
  same(
    'name',
    fc.constantFrom('', 'Morning Ride', 'O\'Neill\'s \\ "loop"', 'Zürich 🚲', '%s; drop table rides'),
  ),
)

const kind = fc.constantFrom(
  {
    told: { is_gps: true, is_stationary: false, first_lat: 45.1 },
    row: { is_stationary: false, has_map: true },
  },
  {
    told: { is_gps: true, is_stationary: true, first_lat: null },
    row: { is_stationary: true, has_map: false },
  },
  { told: { is_gps: false, first_lat: 45.1 }, row: { is_stationary: false, has_map: false } },
)

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
  ...[
    'max_speed',
    'avg_speed',
    'avg_hr',
    'max_hr',
    'avg_watts',
    'max_watts',
    'avg_cad',
    'elevation_gain',
  ].map((key) => number(key, 250)),
  photo,
)

/** Any trip with this id: full or bare, of today or of the early days. */
const anyTripOf = (id: number): fc.Arbitrary<Told> =>
  fc.tuple(fields, kind).map(([all, { told, row }]) => {
    const known = all.filter((field) => field.told !== undefined).map((field) => [field.key, field.told])
    return {
      trip: { id, ...Object.fromEntries(known), ...told, utc_offset: -28800, unheard_of: { a: [1] } },
      row: { id, ...Object.fromEntries(all.map((field) => [field.key, field.stored])), ...row },
    }
  })

/** Any list of trips, in any order, each id once. */
export const anyList: fc.Arbitrary<Told[]> = fc
  .uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 25 })
  .chain((ids) => fc.tuple(...ids.map(anyTripOf)))
