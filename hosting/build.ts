import { glob, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'
import { cacheControl, HASHED, type Origins, securityHeaders } from './headers.ts'
import { type HostedConfig, hostedEnvironment, readHostedConfig } from './settings.ts'

/**
 * Adds `config.json` and header files to a client built for a static host, which compresses files itself. Adds compressed
 * copies to a client built for the embedded stack, which provides both.
 */
export function hostingFilesPlugin(): Plugin {
  let config: HostedConfig | null = null
  let project: string
  let outDir: string
  return {
    name: 'tracker-hosting-files',
    apply: 'build',
    configResolved({ root, build }) {
      project = root
      outDir = path.resolve(root, build.outDir)
    },
    buildStart() {
      config = readHostedConfig(hostedEnvironment(process.env, project))
    },
    // Connect while the scripts load, because the backend of a static host has another origin.
    transformIndexHtml: () =>
      config === null
        ? []
        : [
            {
              tag: 'link',
              attrs: { rel: 'preconnect', href: new URL(config.supabaseUrl).origin, crossorigin: true },
            },
          ],
    writeBundle: {
      // The service worker is complete once the other plugins have run.
      order: 'post',
      sequential: true,
      handler: () => (config === null ? compressFiles(outDir) : writeHostingFiles(outDir, config)),
    },
  }
}

// The best quality, 11, needs more than twice the time for 2 % fewer bytes.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }

async function compressFiles(outDir: string): Promise<void> {
  const files = await Array.fromAsync(glob('**/*.{js,css,html,svg,webmanifest}', { cwd: outDir }))
  const compress = async (name: string) => {
    const file = path.join(outDir, name)
    const text = await readFile(file)
    await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }))
    await writeFile(`${file}.br`, await promisify(brotliCompress)(text, BROTLI))
  }
  await Promise.all(files.map(compress))
}

export async function writeHostingFiles(outDir: string, config: HostedConfig): Promise<void> {
  const write = (name: string, text: string) => writeFile(path.join(outDir, name), text)
  await write('config.json', `${JSON.stringify(config, null, 2)}\n`)
  const headers = hostingFiles(await publicFiles(outDir), config)
  for (const [name, text] of Object.entries(headers)) await write(name, text)
}

/** Lists a build's files, except hidden ones, which aren't served. */
export async function publicFiles(outDir: string): Promise<string[]> {
  const files = await readdir(outDir, { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile())
    .map((file) => path.relative(outDir, path.join(file.parentPath, file.name)).replaceAll('\\', '/'))
    .filter((file) => !file.startsWith('.'))
    .toSorted()
}

/** Headers for matching paths. `*` matches the rest of a path. */
interface Rule {
  path: string
  headers: Record<string, string>
}

/** Returns header files by name. No path gets the same header from two rules, because some hosts would join the values. */
function hostingFiles(files: string[], origins: Origins): Record<string, string> {
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
