export interface Origins {
  /** Address of Ride with GPS, for images. */
  rwgpsUrl: string
  /** Address of the backend, unless it is the client's own origin. */
  supabaseUrl?: string
}

/**
 * Headers of every response from the client's origin. The client only runs its own scripts and styles, connects to its
 * backend and shows images from Ride with GPS. No page may frame it.
 */
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

/** Files in this folder of a build have a hash of their content in their names. */
export const HASHED = '/assets/'

/** Hashed files never change, so browsers may cache them forever. They must revalidate all others. */
export function cacheControl(path: string): string {
  return path.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache'
}
