import type * as v from 'valibot'
import type { Totals } from '../contracts/garage.ts'
import type { UsedColumns } from '../contracts/lifetimes.ts'
import type { WriteName, Written } from '../contracts/run-command.ts'
import type { RideDays, Task } from '../contracts/service-tasks.ts'
import { sayChange, type Units, type unitsAnswer } from './fields.ts'

/** Names by gear_id. */
type BikeNames = Record<string, string>

/** The answers of the reads of the SQL function `run_command_as`. */
interface ReadAnswers {
  token: null
  due: { tasks: Task[]; bikes: BikeNames; last_sync: string | null }
  rides: RideDays
  bikes: {
    garage: Totals
    tasks: Task[]
    bikes: { gear_id: number; name: string; is_retired: boolean }[]
  }
  parts: { used: UsedColumns; bikes: BikeNames }
}

/** The answers of all commands. A write's answer also names its change. */
export type SqlAnswers = ReadAnswers & {
  [Name in WriteName]: Written<Name>['answer'] & Pick<Written<Name>, 'change'>
}

/** Runs an SQL command with the rights of the token. Like `Query`, it doesn't validate the answer. */
export type RunSql = <Name extends keyof SqlAnswers>(
  command: Name,
  args?: Record<string, unknown>,
) => Promise<{ answer: SqlAnswers[Name]; units: Units }>

type Fields = v.StrictObjectSchema<v.ObjectEntries, undefined>

/** What other software may ask or do. The API's routes, its OpenAPI document and the tools for AI assistants derive from it. */
export interface Command<Input extends v.GenericSchema = v.GenericSchema, Answer extends Fields = Fields> {
  /** Names the operation in OpenAPI, and the tool. */
  name: string
  /** Needs a token that may write. */
  isWrite: boolean
  /** The API's path, whose parameters are fields of the input. Null: only a tool. */
  path: `/v1/${string}` | null
  /** What it does, in a sentence or two. */
  description: string
  Input: Input
  Answer: Answer
  /** Computes the answer without `unitsAnswer`. */
  run(
    input: v.InferOutput<Input>,
    runSql: RunSql,
  ): Promise<Omit<v.InferOutput<Answer>, keyof typeof unitsAnswer>>
  /** Says the answer in a few words, as a tool does. Commands without it are no tools. */
  say?(this: void, answer: v.InferOutput<Answer>): string
}

type Definition<Input extends v.GenericSchema, Answer extends Fields> = Omit<
  Command<Input, Answer>,
  'isWrite'
>

export const read = <Input extends v.GenericSchema, Answer extends Fields>(
  definition: Definition<Input, Answer>,
): Command => ({ isWrite: false, ...definition })

/** Creates a command that writes, and by default only says whether it did. */
export const write = <Input extends v.GenericSchema, Answer extends Fields>(
  definition: Definition<Input, Answer>,
): Command => ({ isWrite: true, say: sayChange, ...definition })
