import * as v from 'valibot'
import { messageOf } from '../messages/check-messages.ts'
import { formatsFor } from '../formats/formats.ts'
import { read } from './command.ts'
import {
  answerOf,
  Count,
  Day,
  dayOf,
  field,
  Id,
  ifKnown,
  inputOf,
  orNull,
  plain,
  sayList,
  Text,
} from './fields.ts'

const listChecks = read({
  name: 'list_checks',
  title: 'List what to check',
  path: '/v1/checks',
  description:
    'Lists rides and entries that look wrong, such as rides without a bike, impossible speeds, and gaps between parts.',
  Input: inputOf({}),
  Answer: answerOf({
    checks: field(
      v.array(
        v.strictObject({
          kind: field(Text, 'A stable code, such as "no_bike" or "same_ride".'),
          title: field(Text, 'What looks wrong, with the owner’s dates.'),
          why: field(Text, 'Why it matters, or where to look.'),
          bike_id: orNull(Id, 'The id of the bike. Null: none, or several.'),
          bike: orNull(Text, 'The bike’s name.'),
          rides: field(
            v.array(
              v.strictObject({
                id: field(Id, 'The ride’s id at Ride with GPS.'),
                name: orNull(Text, 'The ride’s name. Null: none.'),
                started_on: orNull(Day, 'The day of the ride. Null: unknown.'),
              }),
            ),
            'The rides. Where there are many, the first ones.',
          ),
          entries: field(
            v.array(
              v.strictObject({
                id: field(Id, 'The entry’s id.'),
                name: field(Text, 'The entry’s name.'),
              }),
            ),
            'The entries of the log.',
          ),
        }),
      ),
      'At most 100 of each kind, without dismissed ones.',
    ),
    left_out: field(Count, 'The number of checks beyond 100 of a kind.'),
  }),
  async run(_input, { runSql }) {
    const { answer, units, settings } = await runSql('checks')
    const context = {
      formats: formatsFor({ ...settings, distance: units.distance }),
      bikeName: (id: number) => answer.bikes[id] ?? '',
    }
    const checks = answer.found.lines.map((line) => {
      const bike = 'gear_id' in line ? line.gear_id : null
      const { title, why } = messageOf(line, context)
      return {
        kind: line.kind,
        title: plain(title),
        why: `${plain(why)}.`,
        bike_id: bike,
        bike: ifKnown(bike, context.bikeName),
        rides: line.rides.map(({ id, name, started_at }) => ({ id, name, started_on: dayOf(started_at) })),
        entries: line.items,
      }
    })
    return { checks, left_out: answer.found.left_out }
  },
  say: ({ checks }) =>
    sayList(
      checks.map(({ title, why }) => `${title}. ${why}`),
      'Nothing looks wrong.',
    ),
})

export const checkCommands = [listChecks]
