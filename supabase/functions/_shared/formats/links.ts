/** Texts that are shown as links. Other schemes, such as javascript:, could run code. The database checks the same. */
export const LINK = {
  pattern: /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#]+\S*$/,
  message: 'Enter a link that begins with https:// or http://.',
}

/** Returns the name of a link's site, or null if the text isn't a link. */
export function siteOf(text: string): string | null {
  if (!LINK.pattern.test(text)) return null
  try {
    return new URL(text).hostname.replace(/^www\./, '')
  } catch {
    return null
  }
}
