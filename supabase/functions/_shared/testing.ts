import { createLog, type Log } from './log.ts'

/** A log whose lines can be read back. */
export function recordLog(secrets: readonly string[] = []): { log: Log; lines: string[] } {
  const lines: string[] = []
  const keep = (line: string) => void lines.push(line)
  return { log: createLog('test', secrets, { info: keep, error: keep }), lines }
}

/** A POST to a function. */
export function post(body?: string, headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/functions/v1/any', { method: 'POST', headers, body: body ?? null })
}

/** The status and code of a refusal, after looking that nothing else is told. */
export async function refusalOf(response: Response): Promise<[status: number, code: string]> {
  const body = (await response.json()) as Record<string, unknown>
  const { code, message, ...rest } = body
  if (typeof code !== 'string' || typeof message !== 'string' || Object.keys(rest).length > 0) {
    throw new Error(`Not the one error shape: ${JSON.stringify(body)}`)
  }
  return [response.status, code]
}
