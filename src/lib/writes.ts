import type { Client } from './backend.ts'
import { AppError, ChangedElsewhere, messageFor, SavedEarlier, toAppError, type Values } from './errors.ts'
import { type Answer, type Args, callSql, type SqlFunction } from './functions.ts'

/** A client whose requests belong to one change. */
export type Writer = Pick<Client, 'from' | 'rpc'>

/** The database records what these requests write under `change`, so Undo needs nothing else, even if no response arrives. */
function writerOf(client: Client, change: string): Writer {
  const writer = client.schema('public')
  writer.headers.set('x-change', change)
  return writer
}

/** Returns whether a write may have been saved. An error of the database or a busy backend (503) means that it wasn't. */
const isLost = ({ code, status }: AppError) =>
  status !== 503 && (code === 'network' || (code === 'internal' && status >= 500))

const unclear = ({ message, status }: AppError) => new AppError('unclear', message, status)

/**
 * Runs a write that is safe to repeat. If the response is lost, repeats the write under the same id. Throws the first
 * error, the second's `SavedEarlier` or `ChangedElsewhere`, or else `unclear`.
 */
export async function repeatIfLost<Result>(
  client: Client,
  write: (writer: Writer, change: string) => Promise<Result>,
  change: string = newUuid(),
): Promise<Result> {
  const writer = writerOf(client, change)
  try {
    return await write(writer, change)
  } catch (cause) {
    const error = toAppError(cause)
    if (!isLost(error)) throw error
    return await write(writer, change).catch((failure: unknown) => {
      const second = toAppError(failure)
      throw second instanceof SavedEarlier || second instanceof ChangedElsewhere ? second : unclear(error)
    })
  }
}

/** Identifies a form's request across retries and edits. `insteadOf` is the key of an earlier version that was saved. */
export type Request = { key: string; insteadOf: string | null }

export const newRequest = (): Request => ({ key: newUuid(), insteadOf: null })

/** Creates a request to edit the version that an earlier request saved. */
export const requestInsteadOf = ({ key }: Request): Request => ({ key: newUuid(), insteadOf: key })

export function savedEarlierMessage(version: string): string {
  return `An earlier version was saved: ${version}. Your changes are not saved yet.`
}

/** Returns the message "`subject` was not `done`" with the reason. `describe` formats `SavedEarlier.stored`. */
export function failureMessage(
  subject: string,
  done: string,
  cause: unknown,
  describe?: (stored: never) => string,
): string {
  if (describe && cause instanceof SavedEarlier) return savedEarlierMessage(describe(cause.stored))
  const error = toAppError(cause)
  const outcome = error.code === 'unclear' ? `may or may not have been ${done}` : `was not ${done}`
  return `${subject} ${outcome}. ${messageFor(error)}`
}

/** Creates a random UUID. `crypto.randomUUID` needs https or localhost, but a tracker may run on a home network. */
export function newUuid(): string {
  const random = crypto.getRandomValues(new Uint8Array(16))
  // RFC 9562: version 4, variant binary 10.
  const digits = Array.from(random, (byte, index) =>
    (index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte)
      .toString(16)
      .padStart(2, '0'),
  ).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** What a form knows to be stored. `isUnclear`: an attempt may have been saved since. */
export type Known<Row> = { shown: Row; isUnclear: boolean }

/** Returns whether something else may be stored than is shown, because a write that failed may have been saved, or met another's. */
export const mayHaveChanged = (cause: unknown): boolean =>
  ['unclear', 'RMT11', 'RMT22', 'RMT31', 'PT409'].includes(toAppError(cause).code)

/** Returns the values that a form has to send: those that differ from the shown ones, or all if it is unclear what is stored. */
export const wantedOf = <Row extends Values>(values: Row, { shown, isUnclear }: Known<Partial<Row>>) =>
  Object.fromEntries(
    Object.entries(values).filter(([column, value]) => isUnclear || value !== shown[column]),
  ) as Partial<Row>

/** Returns what a form knows after it failed to save `wanted`. */
export function knownAfter<Row extends Values>(
  cause: unknown,
  { shown, isUnclear }: Known<Row>,
  wanted: Partial<Row>,
): Known<Row> {
  if (!(cause instanceof ChangedElsewhere || cause instanceof SavedEarlier)) {
    return { shown, isUnclear: isUnclear || toAppError(cause).code === 'unclear' }
  }
  const stored: Values = cause.stored
  const now = Object.fromEntries(Object.keys(wanted).map((column) => [column, stored[column]]))
  return { shown: { ...shown, ...now }, isUnclear: false }
}

/** Calls a SQL function whose repetition is safe, and repeats the call if the response is lost. Resolves to its answer. */
export const write = <Name extends SqlFunction>(
  client: Client,
  name: Name,
  args: Args<Name>,
  change?: string,
): Promise<Answer<Name>> => repeatIfLost(client, (writer) => callSql(writer, name, args), change)

/** Saves the `wanted` values of a row that the owner saw as `shown`. Resolves to the change, or to null if nothing changed. */
export async function editRow<Row extends Values>(
  client: Client,
  relation: 'maintenance' | 'parts' | 'service_tasks' | 'wear_measurements',
  row_id: number,
  shown: Partial<Row>,
  wanted: Partial<Row>,
): Promise<string | null> {
  if (Object.keys(wanted).length === 0) return null
  const edit = { relation, row_id, shown: shown as Values, wanted: wanted as Values }
  const { change, row } = await write(client, 'edit_row', edit)
  if (row === null) throw new AppError('RMT22', `${relation} ${row_id} was removed`)
  return change
}
