import { createHmac } from 'node:crypto'

type Claims = Record<string, unknown>

interface Keys {
  jwtSecret: string
  publishableKey: string
}

interface InvalidToken {
  /** A description that completes "a token …". */
  what: string
  /** Creates the token from the owner's valid token. */
  make: (token: string, keys: Keys) => string
}

export function signToken(claims: Claims, secret: string): string {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

export function claimsOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const unsigned = (token: string, claims: Claims = {}, alg = 'none') =>
  `${encode({ alg, typ: 'JWT' })}.${encode({ ...claimsOf(token), ...claims })}.`
const signatureOf = (token: string) => token.split('.')[2]!
const asSecretKey = { role: 'service_role' }
const expired = () => ({ exp: Math.floor(Date.now() / 1000) - 60 })

export const invalidTokens: InvalidToken[] = [
  {
    what: 'that has expired',
    make: (token, { jwtSecret }) => signToken({ ...claimsOf(token), ...expired() }, jwtSecret),
  },
  {
    what: 'signed with another key',
    make: (token, { jwtSecret }) => signToken(claimsOf(token), 'x'.repeat(jwtSecret.length)),
  },
  { what: 'signed with an empty key', make: (token) => signToken(claimsOf(token), '') },
  {
    what: 'signed with the publishable key',
    make: (token, { publishableKey }) => signToken(claimsOf(token), publishableKey),
  },
  { what: 'with the algorithm "none"', make: (token) => unsigned(token) },
  { what: 'with the algorithm "nOnE"', make: (token) => unsigned(token, {}, 'nOnE') },
  {
    what: 'with the algorithm "none" and the role of the secret key',
    make: (token) => unsigned(token, asSecretKey),
  },
  {
    what: 'with the algorithm "none" and the signature of a valid token',
    make: (token) => `${unsigned(token)}${signatureOf(token)}`,
  },
  { what: 'without its signature', make: (token) => token.slice(0, -signatureOf(token).length) },
  {
    what: 'with modified claims',
    make: (token) =>
      `${token.split('.')[0]}.${encode({ ...claimsOf(token), ...asSecretKey })}.${signatureOf(token)}`,
  },
  { what: 'that is not a JSON Web Token', make: () => 'nonsense' },
]
