import * as v from 'valibot'
import type { Group } from '../contracts/data-api.ts'
import { type Formats, formatsFor } from '../formats/formats.ts'
import { madeAt } from '../formats/keys.ts'
import { CodedError } from '../http/errors.ts'
import { conflictText, editsOf, namesOf, partOf, titleOf } from '../messages/change-messages.ts'
import { read, write } from './command.ts'
import {
  answerOf,
  field,
  Flag,
  inputOf,
  nextOf,
  pageAnswer,
  pageInput,
  plain,
  sayList,
  Text,
  writtenOf,
} from './fields.ts'

const Change = v.pipe(v.string(), v.uuid())

const listHistory = read({
  name: 'list_history',
  title: 'List the changes',
  path: '/v1/history',
  description:
    'Lists what was changed in the last 30 days, on screens and by other software: entries, tasks, services and measurements. Use it for “what did I change yesterday?”, and to find the change that `undo` takes back.',
  Input: inputOf(pageInput),
  Answer: answerOf({
    changes: field(
      v.array(
        v.strictObject({
          change: field(Change, 'The id of the change, for `undo`.'),
          at: field(v.pipe(v.string(), v.isoTimestamp()), 'When it was made, in UTC.'),
          title: field(Text, 'What was done, such as “Replaced Chain with KMC X11”.'),
          details: field(
            Text,
            'Values before and after, the part, the bikes, and the names of several rows. May be empty.',
          ),
          can_undo: field(Flag, 'Whether it has anything left to undo. A later edit may still prevent that.'),
        }),
      ),
      'A page of the changes, newest first.',
    ),
    ...pageAnswer,
  }),
  async run({ after, limit }, { runSql }) {
    const { answer, units, settings } = await runSql('history', { after, limit })
    const formats = formatsFor({ ...settings, distance: units.distance })
    const bikeName = (id: number) => answer.bikes[id] ?? ''
    const pages = answer.groups.map(({ last_id: id }) => ({ id }))
    return {
      changes: answer.groups.map((group) => changeOf(group, formats, bikeName)),
      next: nextOf(pages, answer.has_more),
    }
  },
  say: ({ changes }) =>
    sayList(
      changes.map(({ at, title, details, change }) =>
        [`${at}: ${title}`, details, change].filter(Boolean).join(' · '),
      ),
      'Nothing was changed in the last 30 days.',
    ),
})

function changeOf(group: Group, formats: Formats, bikeName: (id: number) => string) {
  const details = [
    editsOf(group, formats),
    partOf(group),
    ...group.bikes.map(bikeName),
    namesOf(group, formats),
  ]
  return {
    change: group.id,
    at: madeAt(group.id, new Date(group.changed_at)).toISOString(),
    title: plain(titleOf(group, formats, bikeName)),
    details: plain(details.filter(Boolean).join(' · ')),
    can_undo: !group.is_done,
  }
}

const undo = write({
  name: 'undo',
  title: 'Undo a change',
  isIdempotent: true,
  path: '/v1/undo',
  description:
    'Undoes a change of the last 30 days, unless one of its values has been changed since. Undoing a change twice changes nothing.',
  Input: inputOf({
    change: field(Change, 'The `change` of an earlier answer, or of `list_history`.'),
  }),
  Answer: writtenOf({
    restored: field(
      v.pipe(v.number(), v.integer()),
      'How many rows were restored. 0: the change had already been undone.',
    ),
  }),
  async run({ change }, { runSql }) {
    const { answer, units, settings } = await runSql('undo', { change })
    if (answer.conflicts.length > 0) {
      const formats = formatsFor({ ...settings, distance: units.distance })
      const texts = answer.conflicts.map((conflict) => plain(conflictText(conflict, formats)))
      const message = `Nothing was written. ${texts.join(' ')}`
      throw new CodedError('changed_since', { message, conflicts: answer.conflicts })
    }
    return { restored: answer.restored, change: answer.change }
  },
  say: ({ restored }) => (restored === 0 ? 'This had already been undone.' : 'Undone.'),
})

export const historyCommands = [listHistory, undo]
