/** A longer name would push the rest of the message off a phone's screen. */
const MAX_LENGTH = 80

/** Puts a name in quotation marks and shortens it if necessary. */
export function quote(name: string): string {
  const characters = Array.from(name)
  return characters.length > MAX_LENGTH ? `“${characters.slice(0, MAX_LENGTH).join('')}…”` : `“${name}”`
}
