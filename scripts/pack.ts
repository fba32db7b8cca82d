// `npm run build:package`, which `npm pack` runs: builds the package's files into build/.
import { cp, glob, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { RolldownOutput } from 'rolldown'
import { buildClient } from '../embedded/client.ts'
import { ROOT } from '../embedded/installation.ts'
import { bundle, bundleFunctions, SERVER } from './bundle.ts'

const BUILD = path.join(ROOT, 'build')
const SEPARATOR = `\n${'-'.repeat(72)}\n\n`

await rm(BUILD, { recursive: true, force: true })
await cp(await buildClient(), path.join(BUILD, 'client'), { recursive: true })
const programs = path.join(BUILD, 'server')
const server = await bundle(programs, { ...SERVER, input: { cli: 'scripts/cli.ts' } })
const functions = await bundleFunctions(programs)
await cp(path.join(ROOT, 'sample/images'), path.join(programs, 'images'), { recursive: true })
const clientLicenses = await readFile(path.join(BUILD, 'client/.vite/license.md'), 'utf8')
const texts = [await licenses([server, functions]), `Libraries of the client\n\n${clientLicenses}`]
await writeFile(path.join(BUILD, 'licenses.txt'), texts.join(SEPARATOR))

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
