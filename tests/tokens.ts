import { createHmac } from 'node:crypto'

type Claims = Record<string, unknown>

interface Keys {
  jwtSecret: string
  publishableKey: string
}

interface Spoilt {
  /** What is wrong with it, to follow "a token". */
  what: string
  /** Makes it of the owner's good token. */
  spoil: (token: string, keys: Keys) => string
}

/** A JSON Web Token of these claims, signed with `secret` as Auth signs its own. */
export function signToken(claims: Claims, secret: string): string {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

/** What a token says. */
export function claimsOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const unsigned = (token: string, claims: Claims = {}, alg = 'none') =>
  `${encode({ alg, typ: 'JWT' })}.${encode({ ...claimsOf(token), ...claims })}.`
const signatureOf = (token: string) => token.split('.')[2]!
const asSecretKey = { role: 'service_role' }
const expired = () => ({ exp: Math.floor(Date.now() / 1000) - 60 })

/** Tokens that nobody is to be let in with. */
export const invalidTokens: Spoilt[] = [
  {
    what: 'that has expired',
    spoil: (token, { jwtSecret }) => signToken({ ...claimsOf(token), ...expired() }, jwtSecret),
  },
  {
    what: 'signed with another key',
    spoil: (token, { jwtSecret }) => signToken(claimsOf(token), 'x'.repeat(jwtSecret.length)),
  },
  { what: 'signed with an empty key', spoil: (token) => signToken(claimsOf(token), '') },
  {
    what: 'signed with the publishable key',
    spoil: (token, { publishableKey }) => signToken(claimsOf(token), publishableKey),
  },
  { what: 'of the algorithm "none"', spoil: (token) => unsigned(token) },
  { what: 'of the algorithm "nOnE"', spoil: (token) => unsigned(token, {}, 'nOnE') },
  {
    what: 'of the algorithm "none" and the role of the secret key',
    spoil: (token) => unsigned(token, asSecretKey),
  },
  {
    what: 'of the algorithm "none" under a signature that was good',
    spoil: (token) => `${unsigned(token)}${signatureOf(token)}`,
  },
  { what: 'without its signature', spoil: (token) => token.slice(0, -signatureOf(token).length) },
  {
    what: 'with other claims than those that were signed',
    spoil: (token) =>
      `${token.split('.')[0]}.${encode({ ...claimsOf(token), ...asSecretKey })}.${signatureOf(token)}`,
  },
  { what: 'that is none at all', spoil: () => 'nonsense' },
]
