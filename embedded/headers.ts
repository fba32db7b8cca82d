/**
 * What every answer of the built client carries: it runs its own scripts and styles, talks to its own origin, and shows
 * pictures of Ride with GPS. Nothing may frame it.
 */
export function securityHeaders(rwgpsUrl: string): Record<string, string> {
  const { origin, protocol, host } = new URL(rwgpsUrl)
  // An address of numbers has no subdomains to name.
  const subdomains = /^[a-z]/.test(host) ? ` ${protocol}//*.${host}` : ''
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: ${origin}${subdomains}`,
    "connect-src 'self'",
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
