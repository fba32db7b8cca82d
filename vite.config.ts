import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * Writes `config.json` beside the built client when SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY are set: the hosted
 * application reads from it where its backend is. Without them nothing is written, and whoever serves the client
 * answers `/config.json`.
 */
function hostedConfig(): Plugin {
  let outDir = 'dist'
  return {
    name: 'tracker-hosted-config',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir
    },
    async closeBundle() {
      const { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, RWGPS_BASE_URL } = process.env
      if (!SUPABASE_URL || !SUPABASE_PUBLISHABLE_KEY) return
      const config = {
        supabaseUrl: SUPABASE_URL,
        publishableKey: SUPABASE_PUBLISHABLE_KEY,
        rwgpsUrl: RWGPS_BASE_URL ?? 'https://ridewithgps.com',
        sample: false,
      }
      await writeFile(join(outDir, 'config.json'), `${JSON.stringify(config, null, 2)}\n`)
    },
  }
}

export default defineConfig({
  plugins: [react(), hostedConfig()],
  resolve: {
    alias: { '@supabase/storage-js': fileURLToPath(new URL('src/lib/no-storage.ts', import.meta.url)) },
  },
  build: { manifest: true, target: 'es2023', modulePreload: { polyfill: false } },
})
