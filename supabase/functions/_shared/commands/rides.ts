import * as v from 'valibot'
import { read, write } from './command.ts'
import {
  Amount,
  answerOf,
  Count,
  distanceOf,
  field,
  hoursOf,
  Id,
  inputOf,
  optional,
  orNull,
  period,
  requireBike,
  sayList,
  Text,
} from './fields.ts'

const sums = {
  rides: field(Count, 'The number of rides.'),
  distance: field(Amount, 'The distance, in `units`.'),
  hours: field(Amount, 'The hours of riding.'),
}

const rideTotals = read({
  name: 'ride_totals',
  title: 'Add up the rides',
  path: '/v1/rides',
  description:
    'Adds up the rides of all bikes or of one, by month and in a period. Use it for “how far did I ride in May?”.',
  Input: inputOf({
    bike: optional(Id, 'Only rides on the bike with this id.'),
    ...period('the period'),
  }),
  Answer: answerOf({
    ...sums,
    months: field(
      v.array(v.strictObject({ month: field(Text, 'The month, as YYYY-MM.'), ...sums })),
      'The months with rides, newest first. Without a period, the totals above also count rides without a date.',
    ),
  }),
  async run({ bike, from, to }, { runSql }) {
    const { answer, units } = await runSql('ride_months', { gear_id: bike, from, to })
    requireBike(answer.bikes, bike)
    const sumsOf = (rows: typeof answer.months) => ({
      rides: rows.reduce((sum, { rides }) => sum + rides, 0),
      distance: distanceOf(
        rows.reduce((sum, { distance }) => sum + distance, 0),
        units,
      ),
      hours: hoursOf(rows.reduce((sum, { moving_time }) => sum + moving_time, 0)),
    })
    const months = answer.months.flatMap((row) =>
      row.month === null ? [] : [{ month: row.month, ...sumsOf([row]) }],
    )
    return { ...sumsOf(answer.months), months: months.toReversed() }
  },
  say: ({ rides, distance, hours, months, units }) =>
    sayList(
      [
        `${rides} rides, ${distance} ${units}, ${hours} hours`,
        ...months.map((month) => `${month.month}: ${month.distance} ${units}`),
      ],
      '',
    ),
})

const count = (what: string) => field(Count, `The number of rides that ${what}.`)

const syncRides = write({
  name: 'sync_rides',
  title: 'Update the rides',
  isIdempotent: true,
  path: '/v1/sync',
  description:
    'Updates bikes and rides from Ride with GPS, as a schedule also does. Takes up to a minute. Answers with 409 if an update is already running.',
  Input: inputOf({}),
  Answer: answerOf({
    bikes: field(Count, 'The number of bikes.'),
    fetched: count('Ride with GPS listed'),
    added: count('are new'),
    changed: count('changed'),
    removed: count('are no longer on Ride with GPS'),
    skipped: count('were skipped because they are unreadable'),
    mismatch: orNull(
      Text,
      'Why rides that the list lacks were not removed, as a stable code. Null: nothing was unclear.',
    ),
  }),
  async run(_input, { syncRides }) {
    const { bikes, fetched, added, changed, removed, skipped, ...rest } = await syncRides()
    const mismatch = 'mismatch' in rest ? rest.mismatch : null
    return { bikes, fetched, added, changed, removed, skipped, mismatch }
  },
  say: ({ fetched, added, changed, removed }) =>
    `${fetched} rides: ${added} new, ${changed} changed, ${removed} removed.`,
})

export const rideCommands = [rideTotals, syncRides]
