import { AsyncLocalStorage } from 'node:async_hooks'
import type { AnyAST } from '@supabase/lite'
import type { Refusal } from './refusal.ts'

/** Makes PostgreSQL read a text by the type of the column or argument. */
export type AsText = (text: string | null) => unknown

/** How Supabase Lite answers a request as PostgREST would. */
export interface Plan {
  /** The request that Supabase Lite reads: the same one without what it would misunderstand. */
  request: Request
  /** Adds the rest to what Supabase Lite read. */
  apply: (ast: AnyAST, asText: AsText) => void
  /** Returns why a function's changes must be undone, if so. */
  check?: (response: Response) => Refusal | undefined
  /** Why `apply` refused the request, if it did. */
  refusal?: Refusal
  /** Completes the response's headers. */
  finish: (response: Response) => Promise<Response>
}

const plans = new AsyncLocalStorage<Plan>()

export const runPlan = <T>(plan: Plan, work: () => T): T => plans.run(plan, work)
export const currentPlan = () => plans.getStore()
