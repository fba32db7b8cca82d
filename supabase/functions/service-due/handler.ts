import * as v from 'valibot'
import type { Auth } from '../_shared/auth.ts'
import { bearerToken, requireOwner } from '../_shared/caller.ts'
import { CodedError } from '../_shared/errors.ts'
import { createEndpoint, type Handler, objectInput, readInput } from '../_shared/http.ts'
import type { Log } from '../_shared/log.ts'
import { explain, withForecasts } from '../_shared/task-forecasts.ts'
import type { ReadRideDays, ReadTasks } from '../_shared/service-tasks.ts'

export interface Dependencies {
  auth: Auth
  readTasks: ReadTasks
  readRideDays: ReadRideDays
  log: Log
}

const Id = v.optional(v.pipe(v.number(), v.safeInteger()))
const Input = objectInput({ gear_id: Id, explain: Id })

/**
 * POST `{}` or `{"gear_id": n}`, only for the owner: how much of each service task is used up, on all bikes or on one, and
 * when it will likely be due. With `"explain": <task id>`, also what that forecast is made of.
 */
export function createHandler({ auth, readTasks, readRideDays, log }: Dependencies): Handler {
  return createEndpoint(log, async (request) => {
    const token = bearerToken(request)
    try {
      const { gear_id, explain: explained } = await readInput(request, Input)
      const [tasks, rides] = await Promise.all([readTasks(token, gear_id), readRideDays(token, gear_id)])
      if (tasks === null) throw new CodedError('unknown_bike')
      // Row-level security also shows no tasks to anyone but the owner.
      if (tasks.length === 0) await requireOwner(token, auth)
      const task = tasks.find(({ id }) => id === explained)
      return {
        tasks: withForecasts(tasks, rides),
        ...(explained !== undefined && { explanation: task ? explain(task, rides) : null }),
      }
    } catch (error) {
      // Row-level security protects the data. The caller is only checked to pick the right error.
      await requireOwner(token, auth)
      throw error
    }
  })
}
