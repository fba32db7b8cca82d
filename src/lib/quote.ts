/** As much of a name as is read at a glance; more would push the rest of its sentence off a phone's screen. */
const LONGEST = 80

/** A name as it stands in a sentence: in quotation marks, and cut where it is too long. */
export function quote(name: string): string {
  const characters = Array.from(name)
  return characters.length > LONGEST ? `“${characters.slice(0, LONGEST).join('')}…”` : `“${name}”`
}
