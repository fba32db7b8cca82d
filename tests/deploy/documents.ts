import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface DocumentedCommand {
  file: string
  /** The command line, without a trailing comment. */
  command: string
}

export async function documentedCommands(): Promise<DocumentedCommand[]> {
  const files = (await Array.fromAsync(glob(['*.md', 'docs/**/*.md'], { cwd: ROOT }))).toSorted()
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(path.join(ROOT, file), 'utf8')
      return [...text.matchAll(/^ *```(?:sh|shell|bash|console)\n(.*?)^ *```$/gms)].flatMap(([, block]) =>
        commandsOf(block!).map((command) => ({ file, command })),
      )
    }),
  )
  const byCommand = new Map(found.flat().map((documented) => [documented.command, documented]))
  return [...byCommand.values()]
}

export async function documentedScripts(): Promise<string[]> {
  const files = await Array.fromAsync(glob(['*.md', 'docs/**/*.md'], { cwd: ROOT }))
  const texts = await Promise.all(files.map((file) => readFile(path.join(ROOT, file), 'utf8')))
  const named = texts.join('\n').matchAll(/\bnpm (?:run (?:--silent )?([\w:-]+)|(start|test)\b)/g)
  return [...new Set([...named].map(([, script, own]) => script ?? own!))]
}

function commandsOf(block: string): string[] {
  return block
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)# .*$/, '').trim())
    .filter((line) => line !== '')
}
