import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ALLOWED, WORDS } from './language.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const NOT_OURS = ['**/node_modules', '.*', 'build', 'dist', 'supabase/.temp', 'supabase/database.types.ts']

async function filesToCheck(): Promise<string[]> {
  const sources = glob('**/*.{ts,tsx,sql,md,css,html,js}', { cwd: ROOT, exclude: NOT_OURS })
  const files: string[] = []
  for await (const file of sources) {
    // The word list itself is full of them.
    if (!file.startsWith('scripts/language')) files.push(file)
  }
  return files.toSorted()
}

const WORD = new RegExp(`(?<![\\w-])(?:${WORDS.map(([word]) => `(${word})`).join('|')})(?![\\w-])`, 'gi')

function findWords(file: string, text: string): string[] {
  const allowed = ALLOWED.filter(({ files }) => files === undefined || files.test(file))
  return text.split('\n').flatMap((line, index) => {
    const rest = allowed.reduce((remaining, { phrase }) => remaining.replace(phrase, ''), line)
    return [...rest.matchAll(WORD)].map(([word, ...groups]) => {
      const [, instead] = WORDS[groups.findIndex((group) => group !== undefined)]!
      return `${file}:${index + 1}: “${word}” (use ${instead}): ${line.trim()}`
    })
  })
}

test('screens, code and docs avoid words that are nearly always wrong here', async () => {
  const files = await filesToCheck()
  expect(files.length).toBeGreaterThan(60)
  const found = await Promise.all(
    files.map(async (file) => findWords(file, await readFile(path.join(ROOT, file), 'utf8'))),
  )
  expect(found.flat()).toEqual([])
})

test('finds words in any case and skips allowed phrases', () => {
  expect(findWords('a.ts', 'One line.\nNobody was Told, alone')).toEqual([
    'a.ts:2: “Told” (use shows, reports or logs): Nobody was Told, alone',
    'a.ts:2: “alone” (use only): Nobody was Told, alone',
  ])
  expect(findWords('a.ts', 'It is no longer than a whole number; stand-alone, stand_alone')).toEqual([])
})
