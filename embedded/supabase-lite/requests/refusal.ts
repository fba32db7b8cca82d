/** A request that Supabase Lite would answer otherwise than PostgREST, or that is wrong. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  constructor(code: string, message: string, status = 400) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** Refuses text that PostgREST can't read either. */
export const malformed = (what: string, text: string) =>
  new Refusal('PGRST100', `failed to parse ${what} (${text})`)

/** Refuses what PostgREST can do. `What` begins the sentence. */
export const onlyHosted = (What: string, code = 'PGRST100', status = 400) =>
  new Refusal(code, `${What} only works on hosted projects.`, status)

export const unknownColumn = (table: string, name: string) =>
  new Refusal('42703', `column ${table}.${name} does not exist`)

/** Builds an error response in PostgREST's format. */
export function errorResponse({
  status,
  code,
  message,
}: Pick<Refusal, 'status' | 'code' | 'message'>): Response {
  return Response.json({ code, message, details: null, hint: null }, { status })
}
