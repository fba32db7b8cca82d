import type { UsageCall } from '../../../supabase/functions/maintenance-use/contract.ts'
import type { Client } from '../../lib/backend.ts'
import { callFunction } from '../../lib/functions.ts'

type Question = UsageCall['input']

type Request = {
  client: Client
  question: Question
  /** The signals of all callers waiting for the answer. */
  signals: AbortSignal[]
  answer: Promise<UsageCall['answer']>
}

/** Requests that haven't been sent yet, so more questions can be added. */
const unsent = new Set<Request>()

/**
 * Asks `maintenance-use` about a bike. Questions in the same task share a request, because a write to the log makes the
 * usage, the open details and the timeline stale. The answer may include data that other questions asked for.
 */
export async function askMaintenanceUse(
  client: Client,
  question: Question,
  signal: AbortSignal,
): Promise<UsageCall['answer']> {
  const request =
    [...unsent].find((one) => one.client === client && canMerge(one.question, question)) ??
    newRequest(client, question)
  Object.assign(request.question, question)
  request.signals.push(signal)
  const answer = await request.answer
  signal.throwIfAborted()
  return answer
}

/** Returns whether one answer can cover both questions. */
function canMerge(a: Question, b: Question): boolean {
  return a.gear_id === b.gear_id && a.day === b.day && (a.part ?? b.part) === (b.part ?? a.part)
}

/** Creates a request that is sent once the current task is done. */
function newRequest(client: Client, question: Question): Request {
  const send = async () => {
    await Promise.resolve()
    unsent.delete(request)
    const signal = whenAllAbort(request.signals)
    signal.throwIfAborted()
    return callFunction<UsageCall>(client, 'maintenance-use', { body: request.question, signal })
  }
  const request: Request = { client, question: { ...question }, signals: [], answer: send() }
  unsent.add(request)
  return request
}

/** Returns a signal that aborts once all `signals` have aborted. */
function whenAllAbort(signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController()
  const abort = () => {
    if (signals.every(({ aborted }) => aborted)) controller.abort()
  }
  abort()
  for (const signal of signals) signal.addEventListener('abort', abort)
  return controller.signal
}
