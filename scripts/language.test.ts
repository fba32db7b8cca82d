import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NOT_OURS = ['**/node_modules', '.*', 'build', 'dist', 'supabase/.temp', 'supabase/database.types.ts']

const BRITISH =
  /(?<![\w-])(?:behaviours?|centres?|colour(?:s|ed)?|grey|licences?|(?:kilo)?metres?)(?![\w-])/gi
// npm start prints the label "E-mail:", which the design fixes.
const MAIL = /(?<![\w-])(?:mails?|e-mails?(?!:))(?![\w-])/gi

function findWords(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = [...line.matchAll(BRITISH), ...line.matchAll(MAIL)]
    return found.map(([word]) => `${file}:${index + 1}: ${word}: ${line.trim()}`)
  })
}

test('screens, code and docs have American spelling, and "email"', async () => {
  const sources = glob('**/*.{ts,tsx,sql,md,css,html,js}', { cwd: ROOT, exclude: NOT_OURS })
  const found: string[] = []
  for await (const file of sources) {
    if (file !== 'scripts/language.test.ts')
      found.push(...findWords(file, await readFile(path.join(ROOT, file), 'utf8')))
  }
  expect(found).toEqual([])
})

test('finds words in any case', () => {
  expect(findWords('a.ts', 'One line.\nColour of the e-mail\nE-mail: rider@example.com')).toEqual([
    'a.ts:2: Colour: Colour of the e-mail',
    'a.ts:2: e-mail: Colour of the e-mail',
  ])
})

const MAX_LINE = 140

test('prose in Markdown fits into 140 columns', async () => {
  const long: string[] = []
  for await (const file of glob(['*.md', 'docs/**/*.md'], { cwd: ROOT })) {
    const text = await readFile(path.join(ROOT, file), 'utf8')
    const prose = text.replaceAll(/^ *```.*?^ *```$/gms, '').split('\n')
    long.push(...prose.filter((line) => line.length > MAX_LINE && !line.startsWith('|')))
  }
  expect(long).toEqual([])
})

// Everything that somebody has to read before a change: the changelog and the findings aren't.
const MAX_WORDS = 30_000

test('the pages together have at most 30,000 words', async () => {
  let words = 0
  for await (const file of glob(['{README,CONTRIBUTING,SECURITY}.md', 'docs/**/*.md'], { cwd: ROOT })) {
    const text = await readFile(path.join(ROOT, file), 'utf8')
    words += text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0
  }
  expect(words).toBeLessThanOrEqual(MAX_WORDS)
  expect(words).toBeGreaterThan(MAX_WORDS / 2)
})
