/** A member of a JSON object, as text. A member that is a list comes first without a value, and then each of its elements. */
export interface JsonPart {
  name: string
  value?: string
  element?: string
}

/** Splits the text of a JSON object, so a large file is never in memory as a whole. Doesn't validate the values. */
export async function* splitJson(chunks: AsyncIterable<string>): AsyncGenerator<JsonPart> {
  const structure = structureOf()
  let depth = 0
  let isList = false
  let name = ''
  let rest = ''
  for await (const chunk of chunks) {
    let start = 0
    for (const index of structure(chunk)) {
      const character = chunk[index]!
      if (depth > (isList ? 2 : 1) || (depth === 1 && character === '{')) {
        depth += '{['.includes(character) ? 1 : '}]'.includes(character) ? -1 : 0
        continue
      }
      if (isList && character !== ',' && character !== ']') {
        depth++
        continue
      }
      const text = (rest + chunk.slice(start, index)).trim()
      rest = ''
      start = index + 1
      if (isList) {
        if (text || character === ',') yield { name, element: text }
        if (character === ']') isList = false
        if (character === ']') depth = 1
      } else if (depth === 0) {
        if (text || character !== '{') throw new SyntaxError('Unexpected text')
        depth = 1
      } else if (character === ':') name = JSON.parse(text) as string
      else if (character === '[') {
        isList = true
        depth = 2
        yield { name }
      } else {
        if (text) yield { name, value: text }
        if (character !== ',') depth = 0
      }
    }
    rest += chunk.slice(start)
  }
  if (depth > 0) throw new SyntaxError('Unexpected end')
  if (rest.trim()) JSON.parse(rest)
}

/** Finds the indexes of brackets, commas and colons outside of strings, which may continue in the next chunk. */
function structureOf() {
  let isString = false
  let isEscaped = false
  return function* (chunk: string): Generator<number> {
    for (let index = 0; index < chunk.length; index++) {
      const character = chunk[index]!
      if (isEscaped) isEscaped = false
      else if (character === '"') isString = !isString
      else if (isString) isEscaped = character === '\\'
      else if (',:{}[]'.includes(character)) yield index
    }
  }
}
