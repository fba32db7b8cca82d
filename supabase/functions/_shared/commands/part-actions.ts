import * as v from 'valibot'
import { CodedError } from '../http/errors.ts'
import { KIND_NAMES, POSITIONS } from '../kinds.ts'
import { END_REASONS, MAX_LENGTH, MAX_WEAR, READINGS } from '../limits.ts'
import { type SqlAnswers, write } from './command.ts'
import { CLEARABLE_OF_SUCCESSOR, storedValues, successorInput } from './entry-values.ts'
import {
  clearInput,
  Count,
  field,
  Flag,
  GivenDay,
  Id,
  inputOf,
  nonBlank,
  optional,
  orNull,
  clearsUnsent,
  CLEAR_UNSENT,
  Text,
  text,
  withCleared,
  writtenOf,
} from './fields.ts'

const id = field(Id, 'The part’s id.')
const today = (what: string) => optional(GivenDay, `The day of the ${what}. Default: today.`)

function answerOfChange({ added, change }: SqlAnswers['move_part']) {
  const [item] = added
  if (!item) throw new CodedError('changed_since')
  return { part_id: item.part_id, change }
}

const replacePart = write({
  name: 'replace_part',
  title: 'Replace a part',
  path: '/v1/parts/{id}/replace',
  description:
    'Replaces a part by a new one, which takes over its service tasks, and its name and type unless others are sent. Use this for “I put a new chain on”. The id comes from `list_parts`.',
  Input: v.pipe(
    inputOf({
      id,
      ...successorInput,
      ended_as: optional(v.picklist(END_REASONS), 'Why the old part was removed.', 'worn'),
      day: today('replacement'),
      ...clearInput(CLEARABLE_OF_SUCCESSOR),
    }),
    v.check((input) => clearsUnsent(input), CLEAR_UNSENT),
  ),
  Answer: writtenOf({
    part_id: field(Id, 'The new part’s id.'),
  }),
  async run({ id: part_id, ended_as, day, ...input }, { runSql }) {
    const successor = storedValues(withCleared(input))
    return answerOfChange((await runSql('replace_part', { part_id, ended_as, day, successor })).answer)
  },
})

const movePart = write({
  name: 'move_part',
  title: 'Move or install a part',
  isIdempotent: true,
  path: '/v1/parts/{id}/move',
  description:
    'Moves a part to another bike, or installs one from storage. The part’s id comes from `list_parts`, and the bike’s from `list_bikes`. If something like it is on that bike, ask the owner whether that comes off, and say so in `replaces`.',
  Input: inputOf({
    id,
    bike: field(Id, 'The id of the bike to move it to.'),
    day: today('move'),
    replaces: optional(
      v.pipe(v.array(Id), v.maxLength(100)),
      'The ids of the bike’s entries that come off and go to storage. Default: if something is in its place, the answer is `replaces_parts` (409) with these entries as `would_replace`, and nothing is written.',
    ),
  }),
  Answer: writtenOf({
    part_id: field(Id, 'The part’s id.'),
  }),
  async run({ id: part_id, bike: gear_id, day, replaces }, { runSql }) {
    return answerOfChange((await runSql('move_part', { part_id, gear_id, day, replaces })).answer)
  },
})

const setKind = write({
  name: 'set_kind',
  title: 'Say what a part is',
  method: 'PATCH',
  path: '/v1/parts/{id}',
  description:
    'Says what a part is, and where. What it replaces and how long it lasts follow from that. A kind without a front and a rear clears where the part was. The id comes from `list_parts`.',
  Input: v.pipe(
    inputOf({
      id,
      kind: optional(v.picklist(KIND_NAMES), 'What it is.'),
      position: optional(v.picklist(POSITIONS), 'Where it is. What it was at the other end stays.'),
      ...clearInput(['kind', 'position']),
    }),
    v.check(({ kind, clear }) => kind !== undefined || clear.includes('kind'), 'kind: Required.'),
    v.check((input) => clearsUnsent(input), CLEAR_UNSENT),
  ),
  Answer: writtenOf({
    cleared: field(Count, 'How many of its entries lost their position.'),
  }),
  async run({ id: part_id, ...input }, { runSql }) {
    const { kind, position } = withCleared(input)
    const parts = [{ id: part_id, kind, ...(position !== undefined && { position }) }]
    const { cleared, change } = (await runSql('name_kinds', { parts })).answer
    return { cleared, change }
  },
})

const rotate = write({
  name: 'rotate',
  title: 'Rotate tires',
  path: '/v1/parts/{id}/rotate',
  description:
    'Puts what is at the front of a bike to the rear and the other way around, such as “I rotated my tires”. Send either part: tires, brake pads or rotors. The id comes from `list_parts`.',
  Input: inputOf({
    id,
    day: today('rotation'),
    without_words: optional(Flag, 'Takes “front” and “rear” out of the names.', false),
  }),
  Answer: writtenOf({
    parts: field(
      v.array(
        v.strictObject({
          id: field(Id, 'The part’s id.'),
          name: field(Text, 'Its name.'),
          position: orNull(v.picklist(POSITIONS), 'Where it is now.'),
        }),
      ),
      'The parts that changed places.',
    ),
  }),
  async run({ id: part_id, day, without_words }, { runSql }) {
    const { added, change } = (await runSql('rotate', { part_id, day, without_words })).answer
    return { parts: added.map(({ part_id: id, name, position }) => ({ id, name, position })), change }
  },
})

const wear = v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_WEAR))

const addMeasurement = write({
  name: 'add_measurement',
  title: 'Record wear',
  path: '/v1/parts/{id}/measure',
  description:
    'Records a part’s wear, such as “the chain checker says 0.5”. Send a value, the reading of a go/no-go gauge, or both. The id comes from `list_parts`.',
  Input: v.pipe(
    inputOf({
      id,
      value: optional(wear, 'The measured value; with a reading, the gauge’s mark.'),
      reading: optional(v.picklist(READINGS), 'What a go/no-go gauge says: under, at or over its mark.'),
      unit: field(
        nonBlank(MAX_LENGTH.wear_measurements.unit),
        'What is measured: "chain %", "pad mm", "rotor mm", "tread mm", or the owner’s own words.',
      ),
      tool: optional(
        text(MAX_LENGTH.wear_measurements.tool),
        'The tool. Values are only compared with those of the same tool.',
      ),
      limit: optional(wear, 'The value at which the part is worn out. Default: the unit’s usual limit.'),
      note: optional(text(MAX_LENGTH.wear_measurements.note), 'A note.'),
      day: today('measurement'),
      also_done: optional(
        v.pipe(v.array(Id), v.maxLength(100)),
        'The ids of tasks that are done by it, such as the part’s “Check chain wear”. They come from `list_tasks`.',
      ),
    }),
    v.check(
      ({ value, reading }) => value !== undefined || reading !== undefined,
      'Send a value or a reading.',
    ),
  ),
  Answer: writtenOf({
    measurement_id: field(Id, 'The measurement’s id.'),
  }),
  async run({ id: part_id, day: measured_on, also_done, units: _units, ...measurement }, { runSql }) {
    const { answer } = await runSql('add_measurement', {
      part_id,
      measurement: { ...measurement, measured_on },
      also_done,
    })
    return { measurement_id: answer.id, change: answer.change }
  },
})

export const partActions = [replacePart, movePart, rotate, setKind, addMeasurement]
