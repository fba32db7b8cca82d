import * as v from 'valibot'
import { parseJson } from '../../_shared/http/body.ts'

const Token = v.strictObject({ userId: v.number(), authToken: v.string() })
export type Token = v.InferOutput<typeof Token>

/** Remembers the token from the last sign-in with a password, so later sign-ins don't send the password. */
export interface TokenMemory {
  read(): Token | null
  write(token: Token | null): void
  /** Called with each new token, and with null when Ride with GPS refuses the old one. */
  onChange: (token: Token | null) => void
}

/** Creates a memory that lasts as long as the process. `saved` is the JSON of an earlier process's token, if any. */
export function createTokenMemory(saved = ''): TokenMemory {
  const before = v.safeParse(Token, parseJson(saved))
  let current = before.success ? before.output : null
  const memory: TokenMemory = {
    read: () => current,
    write(token) {
      const isNew = token?.authToken !== current?.authToken || token?.userId !== current?.userId
      current = token
      if (isNew) memory.onChange(token)
    },
    onChange: () => undefined,
  }
  return memory
}
