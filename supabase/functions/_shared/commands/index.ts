import * as v from 'valibot'
import { CodedError } from '../errors.ts'
import { command, type Command } from './command.ts'
import { changeAnswer, described, unitsAnswer, unitsInput, unitsOf, Written } from './fields.ts'
import { partCommands } from './parts.ts'
import { taskCommands } from './tasks.ts'

const undo = command({
  name: 'undo',
  isWrite: true,
  path: '/v1/undo',
  description:
    'Undoes a change of the last 30 days, unless one of its values has been changed since. Undoing a change twice changes nothing.',
  Input: v.strictObject({
    change: described(v.pipe(v.string(), v.uuid()), 'The `change` of an earlier answer.'),
    ...unitsInput,
  }),
  Answer: v.strictObject({
    restored: described(
      v.pipe(v.number(), v.integer()),
      'How many rows were restored. 0: the change had already been undone.',
    ),
    ...changeAnswer,
    ...unitsAnswer,
  }),
  async run({ change }, runSql) {
    const Undone = v.looseObject({
      ...Written.entries,
      restored: v.number(),
      conflicts: v.array(v.looseObject({})),
    })
    const { answer, units } = await runSql('undo', Undone, { change })
    if (answer.conflicts.length > 0) throw new CodedError('changed_since', { conflicts: answer.conflicts })
    return { restored: answer.restored, change: answer.change, ...unitsOf(units) }
  },
  say: ({ restored }) => (restored === 0 ? 'This had already been undone.' : 'Undone.'),
})

/** Everything that other software may ask or do. */
export const COMMANDS: readonly Command[] = [...taskCommands, ...partCommands, undo]
