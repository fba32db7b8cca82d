import * as v from 'valibot'
import type { Auth } from '../_shared/auth.ts'
import { bearerToken, requireOwner } from '../_shared/caller.ts'
import { CodedError } from '../_shared/errors.ts'
import { createEndpoint, Day, type Handler, optionalInput, readInput } from '../_shared/http.ts'
import {
  compareGroups,
  groupLifetimes,
  type Lifetime,
  lifetimesOf,
  type ReadItems,
  type Used,
} from '../_shared/lifetimes.ts'
import type { Log } from '../_shared/log.ts'
import type { ReadRideDays } from '../_shared/service-tasks.ts'
import { likelyDay } from '../_shared/task-forecasts.ts'
import { type ReadWear, wearSeriesOf } from '../_shared/wear.ts'
import { affectedBy, compareUsed, type WhatIf } from '../_shared/what-if.ts'

export interface Dependencies {
  auth: Auth
  readItems: ReadItems
  readWear: ReadWear
  readRideDays: ReadRideDays
  log: Log
}

const Id = v.pipe(v.number(), v.safeInteger())
const Input = optionalInput({
  gear_id: v.optional(Id),
  from: v.optional(Day),
  to: v.optional(Day),
  wear: v.optional(Id),
  what_if: v.optional(
    v.pipe(
      v.strictObject({
        id: Id,
        dateStarted: Day,
        dateEnded: v.nullable(Day),
        cost: v.pipe(v.number(), v.finite()),
      }),
      v.check(({ dateStarted, dateEnded }) => dateEnded === null || dateStarted <= dateEnded),
    ),
  ),
})

/**
 * POST, only for the owner: how long parts lasted, by type and name. With `gear_id`, only parts that were on this bike; with
 * `from` and `to`, only those in use between these days, with their complete lifetimes. With `what_if`, instead how far the
 * part of an item and its neighbors would be ridden with other dates or another cost; nothing is saved. With `wear`, instead
 * the wear measurements of the part with this id, and when it likely reaches its limit.
 */
export function createHandler({ auth, readItems, readWear, readRideDays, log }: Dependencies): Handler {
  return createEndpoint(log, async (request) => {
    const token = bearerToken(request)
    try {
      const input = (await readInput(request, Input)) ?? {}
      if (input.wear !== undefined) return { wear: await wearOf(token, input.wear) }
      const used = await readItems(token)
      if (used === null) throw new CodedError('forbidden')
      if (input.what_if) return { what_if: await compareWhatIf(token, used, input.what_if) }
      const groups = groupLifetimes(lifetimesOf(used).filter((lifetime) => isChosen(lifetime, input)))
      return { groups, comparisons: compareGroups(groups) }
    } catch (error) {
      // Row-level security protects the data. The caller is only checked to pick the right error.
      await requireOwner(token, auth)
      throw error
    }
  })

  async function compareWhatIf(token: string, used: Used, whatIf: WhatIf) {
    const affected = affectedBy(used.items, whatIf)
    if (affected === null) throw new CodedError('unknown_item')
    const changes = affected.flatMap(({ change }) => change ?? [])
    return compareUsed(affected, used, (await readItems(token, changes)) ?? used)
  }

  async function wearOf(token: string, partId: number) {
    const wear = await readWear(token, partId)
    if (wear === null) throw new CodedError('unknown_item')
    const series = wearSeriesOf(wear.measurements)
    const isOpen = wear.is_installed && series.some(({ estimate }) => estimate && estimate.to > wear.distance)
    const rides = isOpen ? await readRideDays(token, wear.gear_id) : null
    return {
      distance: wear.distance,
      series: series.map((one) => {
        const { estimate } = one
        const likely = rides && estimate && likelyDay(rides, wear.gear_id, estimate.to - wear.distance)
        return Object.assign(one, { likely })
      }),
    }
  }
}

function isChosen(
  lifetime: Lifetime,
  { gear_id, from, to }: NonNullable<v.InferOutput<typeof Input>>,
): boolean {
  const { gear_ids, started, ended } = lifetime
  return (
    (gear_id === undefined || gear_ids.includes(gear_id)) &&
    (from === undefined || ended === null || ended.slice(0, 10) >= from) &&
    (to === undefined || started.slice(0, 10) <= to)
  )
}
