import { cacheControl, DIGESTED, type Origins, securityHeaders } from './headers.ts'

/** Headers for the paths that match; `*` stands for the rest of a path. */
interface Rule {
  path: string
  headers: Record<string, string>
}

/**
 * What static hosts have to be told about a build of these files, by the name of the file that tells them. Rules never
 * give a header twice to one path: some hosts would join the two values.
 */
export function hostingFiles(files: string[], origins: Origins): Record<string, string> {
  const caching = ['/', ...files.map((file) => `/${file}`).filter((path) => !path.startsWith(DIGESTED))]
  const rules: Rule[] = [
    { path: '/*', headers: securityHeaders(origins) },
    ...[`${DIGESTED}*`, ...caching].map((path) => ({
      path,
      headers: { 'cache-control': cacheControl(path) },
    })),
  ]
  return { _headers: headersFile(rules), 'vercel.json': vercelFile(rules) }
}

// As Netlify and Cloudflare Pages read it.
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
