import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Words that are nearly always wrong here, with the usual replacement. Matched as whole words, in any case. */
const WORDS: [word: string, instead: string][] = [
  ['alone', 'only'],
  ['amiss', 'wrong'],
  ['anew', 'again'],
  ['at once', 'immediately, or at the same time'],
  ['beside', 'next to, or also'],
  ['is no(?:ne)?', 'isn’t, or has no'],
  ['judges?|verdicts?', 'validate, FieldState'],
  ['kept', 'stored, cached or unchanged'],
  ['ledgers?', 'sync history'],
  ['lies', 'is'],
  ['e?-?mails?(?<!email|emails)', 'email'],
  ['meanwhile', 'while'],
  ['of whom', 'a second sentence'],
  ['pictures?', 'chart, screenshot or image'],
  ['proofs?', 'test'],
  ['sentences?', 'message'],
  ['set aside', 'skipped'],
  ['so that', 'so'],
  ['stands', 'is'],
  ['takes', 'accepts'],
  ['tales?', 'the standard term'],
  ['tells?|told', 'shows, reports or logs'],
  ['whole', 'complete'],
  ['behaviours?|centres?|colour(?:s|ed)?|grey|licences?|(?:kilo)?metres?', 'American spelling'],
]

/** Phrases in which such a word is fine. */
const ALLOWED: { phrase: RegExp; files?: RegExp; reason: string }[] = [
  { phrase: /\bis no(?: longer\b| more than\b|[.?!])|\bthere is no(?:ne)?\b/gi, reason: 'idiom' },
  { phrase: /\bwhole (?:number|word|dollar)s?\b/gi, reason: 'idiom' },
  {
    phrase: /\btells? (?:you|\S+ apart)\b|\b(?:can’t|can't|cannot) tell\b|\btoo few to tell\b/gi,
    reason: 'idiom',
  },
  { phrase: /\bsentence case\b|\bshort sentences\b/gi, reason: 'idiom' },
  {
    phrase: /\btakes (?:\S+ ){0,6}(?:ms|(?:milli)?seconds?|minutes?|hours?|time|longer|as long)\b/gi,
    reason: 'duration',
  },
  { phrase: /\btakes (?:place|precedence|over|too long)\b/gi, reason: 'idiom' },
  { phrase: /\btakes (?:the|its|an advisory) lock\b/gi, reason: 'idiom' },
  { phrase: /\bstands for\b/gi, reason: 'idiom' },
  { phrase: /\bleaves? (?:\S+ ){0,3}alone\b/gi, reason: 'idiom' },
  {
    phrase: /\b(?:is|are|was)(?:'\})? kept\b/g,
    files: /sync|switch-account/,
    reason: 'rides and log entries that are not removed',
  },
  { phrase: /E-mail:/g, reason: 'label that npm start prints, fixed by the design' },
]

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const NOT_OURS = ['**/node_modules', '.*', 'build', 'dist', 'supabase/.temp', 'supabase/database.types.ts']

async function filesToCheck(): Promise<string[]> {
  const sources = glob('**/*.{ts,tsx,sql,md,css,html,js}', { cwd: ROOT, exclude: NOT_OURS })
  const files: string[] = []
  for await (const file of sources) {
    // Skip the word list itself.
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
  expect(
    findWords('a.ts', 'So the answer is no. It is no longer than a whole number; stand-alone, stand_alone'),
  ).toEqual([])
})
