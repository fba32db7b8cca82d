/** Text as the search compares it: without case and accents, so that "cafe" finds "Café". */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
}

/** A test for folded names: every word of the search must be somewhere in them. An empty search lets all through. */
export function matcher(search: string): (foldedName: string) => boolean {
  const words = fold(search).split(/\s+/).filter(Boolean)
  return (name) => words.every((word) => name.includes(word))
}
