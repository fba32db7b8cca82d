export interface Origins {
  /** Ride with GPS, for images. */
  rwgpsUrl: string
  /** The backend, unless it has the client's own origin. */
  supabaseUrl?: string
}

/** Returns the headers of every response. They only allow own scripts and styles, the backend, and Ride with GPS images. */
export function securityHeaders({ rwgpsUrl, supabaseUrl }: Origins): Record<string, string> {
  const { origin, protocol, host } = new URL(rwgpsUrl)
  // IP addresses have no subdomains.
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

/** The folder of a build whose file names contain a hash of the content. */
export const HASHED = '/assets/'

/** Returns the cache header of a path. Hashed files never change, so browsers only revalidate all others. */
export function cacheControl(path: string): string {
  return path.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache'
}
