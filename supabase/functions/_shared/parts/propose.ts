import { hasEnds, KIND_NAMES, type KindAndPosition, type PartKind, type Position } from '../kinds.ts'
import { COG_RANGE, GEARS, MODEL_LINES, TIRE_SIZE } from './part-lines.ts'
import { nameKey } from './part-names.ts'
import {
  BOTH_WORDS,
  BRAND_WORDS,
  FRENCH_FRONT,
  FRENCH_REAR,
  FRONT_WORDS,
  LANGUAGES,
  type Language,
  OTHER_WORDS,
  REAR_WORDS,
  STORED_WORDS,
  WORK_WORDS,
} from './other-words.ts'
import { KIND_WORDS } from './part-words.ts'

/** The meaning of a word or phrase. No kind: something else, such as a bag. */
type Meaning = { kind: PartKind | null; language: Language; position: Position | null }
type Noun = Meaning & { at: number; group: number }
type Token = { word: string; group: number }

/** Something that has no kind, such as work. */
const OTHER: Meaning = { kind: null, language: 'en', position: null }

/** The type's kind, if nothing in the name says otherwise. */
const KIND_OF_TYPE: Record<string, PartKind> = {
  Saddle: 'saddle',
  Pedals: 'pedals',
  Tires: 'tire',
  Wheels: 'wheel',
}

const plain = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').replaceAll('’', "'")

const listed = (words: string): string[] =>
  words.split(',').map((word) => word.trim().replaceAll(/\s+/g, ' '))

const VOCABULARY = new Map<string, Meaning[]>()
const learn = (words: string, language: Language, kind: PartKind | null) => {
  for (const entry of listed(words)) {
    const [word, position] = entry.split('@') as [string, Position?]
    VOCABULARY.set(word, [...(VOCABULARY.get(word) ?? []), { kind, language, position: position ?? null }])
  }
}
for (const language of LANGUAGES) {
  for (const kind of KIND_NAMES) learn(KIND_WORDS[kind][language], language, kind)
  learn(OTHER_WORDS[language], language, null)
}
const WORK = new Set(listed(WORK_WORDS))
const STORED = new Set(listed(STORED_WORDS))
const BRANDS = new RegExp(`\\b(${listed(BRAND_WORDS).join('|')})\\b`, 'g')
const LONGEST_PHRASE = 4

/** Ends the part of a name that says what it is: "Speed sensor, rear wheel" is a sensor. */
const CLAUSES =
  /[,;:()[\]/]|\s[-–—]\s|\s(?:with|mit|avec|con|met|at|by|for|from|in|on|per|to|fur|pour|para|von|aus)\s/
const JOINERS = /\s*[&+]\s*|\s+(?:and|und|et|y|e)\s+/
/** A noun before one of these is what the name is about: "Rotor del freno". */
const LINKS = new Set(['de', 'del', 'della', 'dei', 'di', 'd', 'du', 'des', 'da', 'a', 'of', 'van'])

function tokensOf(clause: string): Token[] {
  return clause
    .trim()
    .split(/\s+/)
    .flatMap((part, group) =>
      part
        .split(/[^a-z]+/)
        .filter(Boolean)
        .map((word) => ({ word, group })),
    )
}

/** Finds a word in the vocabulary, also as the end of a compound, such as "Rennradlenker" or "Hinterreifen". */
function meaningOf(word: string, language: Language | undefined): Meaning | undefined {
  const known = VOCABULARY.get(word)
  if (known) return known.find((meaning) => meaning.language === language) ?? known.at(0)
  for (let start = 2; start <= word.length - 4; start++) {
    const head = VOCABULARY.get(word.slice(start))?.find(
      (meaning) => meaning.language === 'de' || meaning.language === 'nl',
    )
    if (head) return head
  }
  for (let end = word.length - 3; end >= 4; end--) {
    const first = VOCABULARY.get(word.slice(0, end))?.find(({ kind }) => kind !== null)
    if (first) return { ...first, kind: null }
  }
  return undefined
}

function nounsOf(tokens: readonly Token[]): Noun[] {
  const nouns: Noun[] = []
  let end = 0
  for (const [at, { group }] of tokens.entries()) {
    if (at < end) continue
    const words = tokens.slice(at, at + LONGEST_PHRASE).map(({ word }) => word)
    while (words.length > 1 && !VOCABULARY.has(words.join(' '))) words.pop()
    end = at + words.length
    const meaning = meaningOf(words.join(' '), nouns.at(0)?.language)
    if (meaning) nouns.push({ ...meaning, at, group })
  }
  return nouns
}

/** Returns what a clause is about, or undefined if it doesn't say. */
function subjectOf(clause: string): Meaning | undefined {
  const tokens = tokensOf(clause)
  const nouns = nounsOf(tokens)
  const [first, second] = nouns
  const isWork = ({ word }: Token, at: number) =>
    WORK.has(word) || (word === 'waxed' && (!first || at > first.at))
  if (tokens.some(isWork)) return OTHER
  if (!first) return undefined
  // A compound's last word counts, also of one with hyphens, and the last noun of English names. Others start with it.
  const isCompound = tokens.filter(({ group }) => group === first.group).length > 1
  const isLinked = second && tokens.slice(first.at + 1, second.at).some(({ word }) => LINKS.has(word))
  const isEnglish = nouns.every(({ language }) => language === 'en')
  const candidates =
    isEnglish && !isCompound && !isLinked ? nouns : nouns.filter(({ group }) => group === first.group)
  return candidates.at(-1)
}

/** Returns what each part of a name such as "Chain and cassette" is, in the name's order, and whether the name starts with it. */
function subjectsOf(name: string): { subjects: Meaning[]; isStart: boolean } {
  const text = plain(name).replaceAll(BRANDS, ' ')
  if (tokensOf(text).some(({ word }) => STORED.has(word))) return { subjects: [OTHER], isStart: true }
  const clauses = text.split(CLAUSES)
  for (const [index, clause] of clauses.entries()) {
    const subjects = clause
      .split(JOINERS)
      .map(subjectOf)
      .filter((subject) => subject !== undefined)
    if (subjects.length > 0) return { subjects, isStart: index === 0 }
  }
  return { subjects: [], isStart: true }
}

/** Returns the names of the parts that share a name, such as two for "Chain and cassette", or none. */
export function partsIn(name: string): string[] {
  const kinds = subjectsOf(name).subjects.flatMap(({ kind }) => kind ?? [])
  if (kinds.length < 2 || new Set(kinds).size < kinds.length) return []
  const parts = name.split(new RegExp(JOINERS, 'i')).map((part) => part.trim())
  return parts.length === kinds.length ? parts : []
}

function positionIn(name: string, subject?: Meaning): Position | null {
  const words = tokensOf(plain(name)).map(({ word }) => word)
  const isFrench = subject?.language === 'fr'
  const isFront = words.some((word) => FRONT_WORDS.test(word) || (isFrench && word === FRENCH_FRONT))
  const isRear = words.some((word) => REAR_WORDS.test(word) || (isFrench && word === FRENCH_REAR))
  if (isFront || isRear) return isFront && isRear ? 'both' : isFront ? 'front' : 'rear'
  return words.some((word) => BOTH_WORDS.test(word)) ? 'both' : (subject?.position ?? null)
}

function lineOf(name: string): { kind: PartKind; position: Position | null } | null {
  const text = plain(name)
  const spaced = text.replaceAll(/[^a-z0-9]+/g, ' ').trim()
  const line = MODEL_LINES.find(([, pattern]) => pattern.test(spaced))
  if (line) return { kind: line[0], position: line[2] ?? null }
  if (TIRE_SIZE.test(text)) return { kind: 'tire', position: null }
  return COG_RANGE.test(text) && GEARS.test(text) ? { kind: 'cassette', position: null } : null
}

function fromName(name: string, type: string | null): KindAndPosition {
  const { subjects, isStart } = subjectsOf(name)
  const subject = subjects.at(0)
  if (subject?.kind) return { kind: subject.kind, position: positionIn(name, subject) }
  // "Saddle bag" is no saddle, but "CN-HG701 with quick link" is a chain.
  const line = subject && isStart ? null : lineOf(name)
  const kind = line?.kind ?? (subject ? null : KIND_OF_TYPE[type ?? '']) ?? null
  return { kind, position: positionIn(name) ?? line?.position ?? null }
}

/**
 * Proposes what a part is and where, from its name, its type and the owner's own entries of the same name, of which the first
 * counts. Returns nulls for what is unknown.
 */
export function proposeKind({
  name,
  type,
  earlier,
}: {
  name: string
  type: string | null
  earlier: readonly ({ name: string } & KindAndPosition)[]
}): KindAndPosition {
  const own = earlier.find((entry) => entry.kind !== null && nameKey(entry.name) === nameKey(name))
  const proposed = fromName(name, type)
  const kind = own?.kind ?? proposed.kind
  if (!hasEnds(kind)) return { kind, position: null }
  return {
    kind,
    position: positionIn(name) ?? own?.position ?? (kind === proposed.kind ? proposed.position : null),
  }
}
