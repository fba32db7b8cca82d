import * as v from 'valibot'
import { CodedError } from '../http/errors.ts'
import { type Command, write } from './command.ts'
import { field, inputOf, writtenOf } from './fields.ts'
import { partActions } from './part-actions.ts'
import { checkCommands } from './checks.ts'
import { logCommands } from './log.ts'
import { partCommands } from './parts.ts'
import { rideCommands } from './rides.ts'
import { spendingCommands } from './spending.ts'
import { taskActions } from './task-actions.ts'
import { taskCommands } from './tasks.ts'

const undo = write({
  name: 'undo',
  title: 'Undo a change',
  isIdempotent: true,
  path: '/v1/undo',
  description:
    'Undoes a change of the last 30 days, unless one of its values has been changed since. Undoing a change twice changes nothing.',
  Input: inputOf({
    change: field(v.pipe(v.string(), v.uuid()), 'The `change` of an earlier answer.'),
  }),
  Answer: writtenOf({
    restored: field(
      v.pipe(v.number(), v.integer()),
      'How many rows were restored. 0: the change had already been undone.',
    ),
  }),
  async run({ change }, { runSql }) {
    const { restored, conflicts, ...answer } = (await runSql('undo', { change })).answer
    if (conflicts.length > 0) throw new CodedError('changed_since', { conflicts })
    return { restored, change: answer.change }
  },
  say: ({ restored }) => (restored === 0 ? 'This had already been undone.' : 'Undone.'),
})

/** Everything that other software may ask or do. */
export const COMMANDS: readonly Command[] = [
  ...taskCommands,
  ...taskActions,
  ...partCommands,
  ...partActions,
  ...logCommands,
  ...rideCommands,
  ...spendingCommands,
  ...checkCommands,
  undo,
]
