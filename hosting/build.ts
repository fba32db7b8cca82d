import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'vite'
import { hostingFiles } from './files.ts'
import { type HostedConfig, readHostedConfig } from './settings.ts'

/**
 * For a static host: writes beside the built client where its backend is (`config.json`), and which headers it is to be
 * served with. Without SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY nothing is written, and whoever serves the client
 * answers `/config.json` and sets the headers.
 */
export function hostedBuild(): Plugin {
  let config: HostedConfig | null = null
  let outDir: string
  return {
    name: 'tracker-hosted-build',
    apply: 'build',
    configResolved({ root, build }) {
      outDir = path.resolve(root, build.outDir)
    },
    buildStart() {
      config = readHostedConfig(process.env)
    },
    async writeBundle() {
      if (config === null) return
      const write = (name: string, text: string) => writeFile(path.join(outDir, name), text)
      await write('config.json', `${JSON.stringify(config, null, 2)}\n`)
      const headers = hostingFiles(await publicFiles(outDir), config)
      for (const [name, text] of Object.entries(headers)) await write(name, text)
    },
  }
}

/** The files of a build that are for everybody. */
export async function publicFiles(outDir: string): Promise<string[]> {
  const files = await readdir(outDir, { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile())
    .map((file) => path.relative(outDir, path.join(file.parentPath, file.name)).replaceAll('\\', '/'))
    .filter((file) => !file.startsWith('.'))
    .toSorted()
}
