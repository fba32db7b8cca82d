import { createHash } from 'node:crypto'
import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { hostingFilesPlugin } from './hosting/build.ts'
import manifest from './package.json' with { type: 'json' }

/** Adds the list of files to cache, and a version hash of their contents, to the service worker. */
function serviceWorker(): Plugin {
  let outDir = 'dist'
  return {
    name: 'tracker-service-worker',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir
    },
    async writeBundle() {
      const cached = '{assets/**/*,*.{png,svg,webmanifest}}'
      const files = (await Array.fromAsync(glob(cached, { cwd: outDir }))).toSorted()
      const page = await readFile(join(outDir, 'index.html'), 'utf8')
      const worker = await readFile(join(outDir, 'sw.js'), 'utf8')
      const version = createHash('sha256').update(page).update(worker)
      for (const file of files) version.update(await readFile(join(outDir, file)))
      const shell = {
        version: version.digest('hex').slice(0, 16),
        files: files.map((file) => `/${file.replaceAll('\\', '/')}`),
        entry: [...page.matchAll(/<script[^>]* src="([^"]+)"/g)].at(-1)?.[1],
      }
      await writeFile(join(outDir, 'sw.js'), `const SHELL = ${JSON.stringify(shell)};\n${worker}`)
    },
  }
}

export default defineConfig({
  plugins: [react(), hostingFilesPlugin(), serviceWorker()],
  define: { 'import.meta.env.VITE_VERSION': JSON.stringify(manifest.version) },
  css: {
    transformer: 'lightningcss',
    // src/lib/screen.css uses custom media queries.
    lightningcss: { drafts: { customMedia: true } },
  },
  build: {
    manifest: true,
    // scripts/pack.ts adds these licenses to the package.
    license: true,
    target: manifest.browserslist.map((browser) => browser.replace('ios_saf', 'ios').replace(' >= ', '')),
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', sw: 'src/worker/sw.ts' },
      output: {
        // Browsers look for service worker updates at a fixed address.
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        // Files for what always loads together. Each group contains everything that its module imports.
        codeSplitting: {
          groups: [
            { name: 'boot', test: /src[\\/]app[\\/]boot\.ts$/, priority: 7 },
            { name: 'index', test: /src[\\/]app[\\/]main\.tsx$/, priority: 6 },
            { name: 'main', test: /src[\\/]app[\\/]MainScreen\.tsx$/, priority: 5 },
            // What other pages use of a bike's page.
            {
              name: 'controls',
              test: /[\\/](CalendarShortcut|DateInput|FormDialog|SegmentedControl|SortArrow|use-form|use-pause|search|sort)\.tsx?$/,
              priority: 4,
            },
            { name: 'bike', test: /src[\\/]app[\\/]BikePage\.tsx$/, priority: 3 },
            { name: 'shared', test: /src[\\/](components|lib)[\\/]/, minShareCount: 2, priority: 2 },
            { name: 'Settings', test: /src[\\/]features[\\/]settings[\\/]Settings\.tsx$/, priority: 1 },
            { name: 'rides', test: /src[\\/]app[\\/]Rides(Tab|Page)\.tsx$/, priority: 0 },
          ],
        },
      },
    },
  },
})
