import type * as v from 'valibot'
import type { Group, Interval, LogItem } from '../contracts/data-api.ts'
import type { Totals } from '../contracts/garage.ts'
import type { UsedColumns } from '../contracts/lifetimes.ts'
import type { WriteName, Written } from '../contracts/run-command.ts'
import type { RideDays, Task, WearLimit } from '../contracts/service-tasks.ts'
import type { Costs } from '../contracts/spending.ts'
import type { MediaType } from '../files/clean.ts'
import type { StoredFile } from '../files/serve.ts'
import type { Settings } from '../formats/settings.ts'
import type { ToCheck } from '../contracts/to-check.ts'
import type { UpdatedRides } from '../contracts/update-rides.ts'
import { sayChange, type Units, type unitsAnswer } from './fields.ts'

/** Names by gear_id. */
type BikeNames = Record<string, string>

/** The answers of the reads of the SQL function `run_command_as`. */
interface ReadAnswers {
  token: null
  due: { tasks: Task[]; limits: WearLimit[]; bikes: BikeNames; last_sync: string | null }
  rides: RideDays
  bikes: {
    garage: Totals
    tasks: Task[]
    limits: WearLimit[]
    bikes: { gear_id: number; name: string; is_retired: boolean }[]
  }
  parts: { used: UsedColumns; bikes: BikeNames }
  log: Page & { entries: LogEntry[] }
  services: Page & { services: Service[] }
  /** The month is null for rides without a date. */
  ride_months: { months: ({ month: string | null } & RideSums)[]; bikes: BikeNames }
  spending: { costs: Costs; months: { month: string; cost: number }[]; used: UsedColumns; bikes: BikeNames }
  checks: { found: ToCheck; bikes: BikeNames }
  history: Page & { groups: Group[] }
  files: { files: EntryFile[] }
  file: StoredFile
  check_file: object
}

/** A file of an entry, without its bytes. */
export interface EntryFile {
  id: number
  item_id: number
  name: string
  media_type: MediaType
  size: number
  added_at: string
  in_passport: boolean
  has_thumbnail: boolean
}

interface Page {
  has_more: boolean
  bikes: BikeNames
}

interface RideSums {
  rides: number
  distance: number
  moving_time: number
}

/** An item of the log. */
export interface LogEntry extends Omit<LogItem, 'part_id'>, RideSums {
  /** Null for work. */
  part_id: number | null
}

/** A service event. */
export interface Service {
  id: number
  task_id: number
  task: string
  /** Null: the part is no longer in the log. */
  gear_id: number | null
  part_id: number | null
  part: string | null
  done_on: string
  note: string | null
  cost: number | null
  distance: number
  since_last: Interval | null
  median: Interval | null
}

/** The answers of all commands. A write's answer also names its change. */
export type SqlAnswers = ReadAnswers & {
  [Name in WriteName]: Written<Name>['answer'] & Pick<Written<Name>, 'change'>
}

/** The tools of a command, with the rights of the token. */
export interface Tools {
  /** Runs an SQL command. Like `Query`, it doesn't validate the answer. */
  runSql: RunSql
  /** Syncs the rides, as Update does. */
  syncRides: () => Promise<UpdatedRides>
  /** The request, whose body is a file. */
  request: Request | undefined
  /** The key of the request, with which a repetition changes nothing. */
  key: string | undefined
}

export type RunAnswer = <Name extends keyof SqlAnswers>(
  command: Name,
  args?: Record<string, unknown>,
) => Promise<{ answer: SqlAnswers[Name] }>

export type RunSql = <Name extends keyof SqlAnswers>(
  command: Name,
  args?: Record<string, unknown>,
) => Promise<{ answer: SqlAnswers[Name]; units: Units; settings: Settings }>

type Fields = v.StrictObjectSchema<v.ObjectEntries, undefined>
/** May have checks of several fields. */
type InputFields = v.GenericSchema & Pick<Fields, 'entries'>

/** A question or action of other software. The API's routes, its OpenAPI document and the tools for AI assistants derive from it. */
export interface Command<Input extends InputFields = InputFields, Answer extends Fields = Fields> {
  /** Names the operation in OpenAPI, and the tool. */
  name: string
  /** A summary in a few words, without a period. */
  title: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Needs a token that may write. */
  isWrite: boolean
  /** Whether doing it twice changes nothing more. */
  isIdempotent: boolean
  /** The API's path, whose parameters are fields of the input. Null: only a tool. */
  path: `/v1/${string}` | null
  /** Whether the body of a request is a file, and the rest of the input is in the URL. */
  takesFile?: boolean
  /** Whether the API answers with the bytes of a file, and a tool with a picture. */
  givesFile?: boolean
  /** A few sentences about what it does and when to use it. */
  description: string
  Input: Input
  Answer: Answer
  /** Computes the answer without `unitsAnswer`. */
  run(
    input: v.InferOutput<Input>,
    tools: Tools,
  ): Promise<Omit<v.InferOutput<Answer>, keyof typeof unitsAnswer>>
  /** Says the answer in a few words, as a tool does. Commands without it are no tools. */
  say?(this: void, answer: v.InferOutput<Answer>): string
}

type Definition<Input extends InputFields, Answer extends Fields> = Omit<
  Command<Input, Answer>,
  'method' | 'isWrite' | 'isIdempotent'
>

export const read = <Input extends InputFields, Answer extends Fields>(
  definition: Definition<Input, Answer>,
): Command => ({ method: 'GET', isWrite: false, isIdempotent: true, ...definition })

/** Creates a command that writes, and by default only says whether it did. */
export const write = <Input extends InputFields, Answer extends Fields>({
  method = 'POST',
  isIdempotent = method !== 'POST',
  ...definition
}: Definition<Input, Answer> & Partial<Pick<Command, 'method' | 'isIdempotent'>>): Command => ({
  method,
  isWrite: true,
  isIdempotent,
  // The input of a tool is JSON, which takes no file.
  ...(!definition.takesFile && { say: sayChange }),
  ...definition,
})
