import * as v from 'valibot'
import { parseJson } from '../../_shared/body.ts'

const Token = v.strictObject({ userId: v.number(), authToken: v.string() })
/** Signs in to an account without its password. */
export type Token = v.InferOutput<typeof Token>

/** The token of the last sign-in with email and password, so later ones don't send the password. */
export interface TokenMemory {
  read(): Token | null
  write(token: Token | null): void
  /** Called with each new token, and with null when Ride with GPS refused the old one. */
  onChange: (token: Token | null) => void
}

/** A memory that lasts as long as the process. `saved` is the JSON of the token that an earlier process had, if any. */
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
