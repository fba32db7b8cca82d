import { createHash } from 'node:crypto'
import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { hostedBuild } from './hosting/build.ts'

/** Tells the service worker what to keep: the scripts, styles, pictures and fonts of this build, under a version of all of them. */
function serviceWorker(): Plugin {
  let outDir = 'dist'
  return {
    name: 'tracker-service-worker',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir
    },
    async writeBundle() {
      const kept = '{assets/**/*,*.{png,svg,webmanifest}}'
      const files = (await Array.fromAsync(glob(kept, { cwd: outDir }))).toSorted()
      const page = await readFile(join(outDir, 'index.html'), 'utf8')
      const worker = await readFile(join(outDir, 'sw.js'), 'utf8')
      const version = createHash('sha256').update(page).update(worker)
      for (const file of files) version.update(await readFile(join(outDir, file)))
      const shell = {
        version: version.digest('hex').slice(0, 16),
        files: files.map((file) => `/${file.replaceAll('\\', '/')}`),
        entry: /<script[^>]* src="([^"]+)"/.exec(page)?.[1],
      }
      await writeFile(join(outDir, 'sw.js'), `const SHELL = ${JSON.stringify(shell)};\n${worker}`)
    },
  }
}

export default defineConfig({
  plugins: [react(), hostedBuild(), serviceWorker()],
  resolve: {
    alias: { '@supabase/storage-js': fileURLToPath(new URL('src/lib/no-storage.ts', import.meta.url)) },
  },
  build: {
    manifest: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', sw: 'src/worker/sw.ts' },
      output: {
        // A worker's name stays the same: by that the browser finds a new one.
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
})
