import { Refusal } from './refusal.ts'
import { isArray, isJson } from './schema.ts'

/** The JSON text of each value of an object. */
export type Cells = Record<string, string>

/** Splits the JSON text of an object, or of a list of objects, into the texts of their values. The text is valid JSON. */
export function readCells(text: string): Cells | Cells[] {
  const scan = scanner(text)
  const rows: Cells[] = []
  const isList = scan.skipIf('[')
  if (isList && scan.skipIf(']')) return rows
  do rows.push(readObject(scan))
  while (scan.skipIf(','))
  return isList ? rows : rows[0]!
}

function readObject(scan: ReturnType<typeof scanner>): Cells {
  const cells: Cells = Object.create(null)
  if (!scan.skipIf('{')) throw new Refusal('PGRST102', 'All object keys must match')
  if (scan.skipIf('}')) return cells
  do {
    const key = stringOf(scan.value())
    scan.skipIf(':')
    cells[key] = scan.value()
  } while (scan.skipIf(','))
  scan.skipIf('}')
  return cells
}

const SPACE = 32
const BRACKETS = /["[\]{}]/g
const END = /[,\]}\s]|$/g

function scanner(text: string) {
  let at = 0
  const find = (pattern: RegExp, from: number) => {
    pattern.lastIndex = from
    return pattern.exec(text)!.index
  }

  function skipBlanks(): void {
    while (text.charCodeAt(at) <= SPACE) at++
  }

  function endOfString(from: number): number {
    let end = from
    do end = text.indexOf('"', end + 1)
    while (isEscaped(text, end))
    return end + 1
  }

  function endOfNested(from: number): number {
    let depth = 0
    let end = from
    do {
      end = find(BRACKETS, end)
      if (text[end] === '"') {
        end = endOfString(end)
        continue
      }
      depth += text[end] === '[' || text[end] === '{' ? 1 : -1
      end++
    } while (depth > 0)
    return end
  }

  return {
    skipIf(mark: string): boolean {
      skipBlanks()
      if (text[at] !== mark) return false
      at++
      return true
    },
    value(): string {
      skipBlanks()
      const start = at
      const first = text[start]
      if (first === '"') at = endOfString(start)
      else if (first === '[' || first === '{') at = endOfNested(start)
      else at = find(END, start)
      return text.slice(start, at)
    },
  }
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text[at - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}

/** Returns the text from which PostgreSQL reads a value of a type, as its functions for JSON rows do. */
export function textOf(json: string, type = 'text'): string | null {
  if (json === 'null') return null
  if (json.startsWith('"')) return isJson(type) ? JSON.stringify(stringOf(json)) : stringOf(json)
  if (!isArray(type)) return json
  if (!json.startsWith('[')) throw new Refusal('22P02', 'expected JSON array')
  return listOf(json, type)
}

function stringOf(json: string): string {
  if (!json.includes('\\')) return json.slice(1, -1)
  const text = JSON.parse(json) as string
  // The driver would replace it.
  if (!text.isWellFormed()) throw new Refusal('22P02', 'invalid input syntax for type json')
  return text
}

/** Returns PostgreSQL's text for a JSON list. */
function listOf(json: string, type: string): string {
  const scan = scanner(json)
  const texts: string[] = []
  scan.skipIf('[')
  if (scan.skipIf(']')) return '{}'
  do {
    const value = scan.value()
    const text = value.startsWith('[') ? listOf(value, type) : textOf(value, type.replace(/^_|\[\]$/g, ''))
    texts.push(value.startsWith('[') || text === null ? `${text}` : `"${text.replace(/["\\]/g, '\\$&')}"`)
  } while (scan.skipIf(','))
  return `{${texts.join()}}`
}
