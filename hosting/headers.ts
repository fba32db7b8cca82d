/** What the client is served from, and what it reaches. */
export interface Origins {
  /** Where Ride with GPS has its pictures. */
  rwgpsUrl: string
  /** Where Auth, the data API and the functions are, unless it is the client's own origin. */
  supabaseUrl?: string
}

/**
 * What every answer of the client's origin carries: the client runs its own scripts and styles, talks to its backend, and
 * shows pictures of Ride with GPS. Nothing may frame it.
 */
export function securityHeaders({ rwgpsUrl, supabaseUrl }: Origins): Record<string, string> {
  const { origin, protocol, host } = new URL(rwgpsUrl)
  // An address of numbers has no subdomains to name.
  const subdomains = /^[a-z]/.test(host) ? ` ${protocol}//*.${host}` : ''
  const backend = supabaseUrl === undefined ? '' : ` ${new URL(supabaseUrl).origin}`
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: ${origin}${subdomains}`,
    `connect-src 'self'${backend}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  }
}

/** The folder of a build whose files have a digest of their content in their names. */
export const DIGESTED = '/assets/'

/** How long a file of the build may be kept: for ever where its name says what is in it, else until asked again. */
export function cacheControl(path: string): string {
  return path.startsWith(DIGESTED) ? 'public, max-age=31536000, immutable' : 'no-cache'
}
