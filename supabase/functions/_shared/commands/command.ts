import type * as v from 'valibot'

/** How an answer writes distances and costs. */
export interface Units {
  distance: 'mi' | 'km'
  /** An ISO 4217 code. */
  currency: string
}

/** The commands that the SQL function `run_command` allows. */
export type SqlCommand =
  | 'token'
  | 'due'
  | 'rides'
  | 'bikes'
  | 'parts'
  | 'mark_done'
  | 'snooze'
  | 'replace_part'
  | 'move_part'
  | 'add_measurement'
  | 'undo'

/** Runs an SQL command with the rights of the token. Like `Query`, it doesn't validate the answer. */
export type RunSql = <Answer extends v.GenericSchema>(
  command: SqlCommand,
  answer: Answer,
  args?: Record<string, unknown>,
) => Promise<{ answer: v.InferOutput<Answer>; units: Units }>

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
  run(input: v.InferOutput<Input>, runSql: RunSql): Promise<v.InferOutput<Answer>>
  /** Says the answer in a few words, as a tool does. Commands without it are no tools. */
  say?(this: void, answer: v.InferOutput<Answer>): string
}

/** Types a command's `run` by its contract. */
export const command = <Input extends v.GenericSchema, Answer extends Fields>(
  definition: Command<Input, Answer>,
): Command => definition
