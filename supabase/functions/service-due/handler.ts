import * as v from 'valibot'
import type { Auth } from '../_shared/auth.ts'
import { bearerToken, requireOwner } from '../_shared/caller.ts'
import { CodedError } from '../_shared/errors.ts'
import { createEndpoint, type Handler, objectInput, readInput } from '../_shared/http.ts'
import type { Log } from '../_shared/log.ts'
import type { ReadTasks, Task } from './tasks.ts'

export interface Dependencies {
  auth: Auth
  readTasks: ReadTasks
  log: Log
}

const Input = objectInput({ gear_id: v.optional(v.pipe(v.number(), v.safeInteger())) })

/** POST `{}` or `{"gear_id": n}`, only for the owner: how much of each service task is used up, on all bikes or on one. */
export function createHandler({ auth, readTasks, log }: Dependencies): Handler {
  return createEndpoint(log, async (request) => {
    const token = bearerToken(request)
    try {
      const { gear_id } = await readInput(request, Input)
      const tasks = await readTasks(token, gear_id)
      if (tasks === null) throw new CodedError('unknown_bike')
      // Row-level security also shows no tasks to anyone but the owner.
      if (tasks.length === 0) await requireOwner(token, auth)
      return { tasks: withForecasts(tasks) }
    } catch (error) {
      // Row-level security protects the data. The caller is only checked to pick the right error.
      await requireOwner(token, auth)
      throw error
    }
  })
}

/** Forecasts belong here: the likely date of each task, or the reason why there is none. */
function withForecasts(tasks: Task[]) {
  return tasks.map((task) => ({ ...task, forecast: null, forecast_note: null }))
}
