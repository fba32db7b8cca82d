import { cacheControl, HASHED, type Origins, securityHeaders } from './headers.ts'

/** Headers for matching paths. `*` matches the rest of a path. */
interface Rule {
  path: string
  headers: Record<string, string>
}

/**
 * The header files for static hosts, by name. No path gets the same header from two rules, because some hosts join the
 * values.
 */
export function hostingFiles(files: string[], origins: Origins): Record<string, string> {
  const caching = ['/', ...files.map((file) => `/${file}`).filter((path) => !path.startsWith(HASHED))]
  const rules: Rule[] = [
    { path: '/*', headers: securityHeaders(origins) },
    ...[`${HASHED}*`, ...caching].map((path) => ({
      path,
      headers: { 'cache-control': cacheControl(path) },
    })),
  ]
  return { _headers: headersFile(rules), 'vercel.json': vercelFile(rules) }
}

// For Netlify and Cloudflare Pages.
function headersFile(rules: Rule[]): string {
  const blocks = rules.map(({ path, headers }) => {
    const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)
    return [path, ...lines].join('\n')
  })
  return `${blocks.join('\n\n')}\n`
}

function vercelFile(rules: Rule[]): string {
  const headers = rules.map((rule) => ({
    source: rule.path.replace('*', '(.*)'),
    headers: Object.entries(rule.headers).map(([key, value]) => ({ key, value })),
  }))
  return `${JSON.stringify({ headers }, null, 2)}\n`
}
