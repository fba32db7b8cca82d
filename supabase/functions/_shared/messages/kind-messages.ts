import { upperFirst } from '../formats/formats.ts'
import { type KindAndPosition, type PartKind, type Position, POSITIONS } from '../kinds.ts'

export const POSITION_TEXTS: Record<Position, string> = {
  front: 'front',
  rear: 'rear',
  both: 'front and rear',
}

/** Names a kind of part and where it is: `rear tire`, `front and rear brake pads`. Null: unknown. */
export const kindText = ({ kind, position }: KindAndPosition): string | null =>
  kind === null ? null : position === null ? kind : `${POSITION_TEXTS[position]} ${kind}`

/** Names several parts of a kind: `tires`, `brake pads`. */
export const kindPlural = (kind: PartKind): string => (kind.endsWith('s') ? kind : `${kind}s`)

/** The choices of riders: `Front`, `Rear`, `Both`. */
export const POSITION_OPTIONS = POSITIONS.map((value) => ({ value, label: upperFirst(value) }))

/** Says beside a part's name where it is, or null if that is unknown or the name says it: `front`. */
export function positionBeside(name: string, position: Position | null): string | null {
  if (position === null) return null
  const words = position === 'both' ? /\b(both|pair|front and rear)\b/i : new RegExp(`\\b${position}\\b`, 'i')
  return words.test(name) ? null : POSITION_TEXTS[position]
}

const END_WORDS = /[,\s]*(?<![\p{L}\p{N}_])(?:front|rear)(?![\p{L}\p{N}_])\s*/giu

/** Takes "front" and "rear" out of a name, as the SQL function `without_ends` does. */
export function withoutEnds(name: string): string {
  const shorter = name
    .replaceAll(END_WORDS, ' ')
    .replaceAll(/\(\s*\)/g, '')
    .replaceAll(/^[ ,\-–]+|[ ,\-–]+$/g, '')
  return shorter === '' || name.search(END_WORDS) === -1 ? name : upperFirst(shorter)
}
