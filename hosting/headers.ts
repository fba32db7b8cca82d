export interface Origins {
  /** The URL of Ride with GPS, which serves images. */
  rwgpsUrl: string
  /** The backend's URL; absent if it has the client's origin. */
  supabaseUrl?: string
}

/** Returns every response's headers. They only allow the client's scripts and styles, the backend, and Ride with GPS images. */
export function securityHeaders({ rwgpsUrl, supabaseUrl }: Origins): Record<string, string> {
  const { origin, protocol, host } = new URL(rwgpsUrl)
  // IP addresses have no subdomains.
  const subdomains = /^[a-z]/.test(host) ? ` ${protocol}//*.${host}` : ''
  const backend = supabaseUrl === undefined ? '' : ` ${new URL(supabaseUrl).origin}`
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Photos are read with the session, and shown from memory.
    `img-src 'self' data: blob: ${origin}${subdomains}`,
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

/** The build folder in which file names contain a content hash. */
export const HASHED = '/assets/'

/** Returns a path's Cache-Control header. Hashed files never change, so browsers only revalidate other files. */
export function cacheControl(path: string): string {
  return path.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache'
}
