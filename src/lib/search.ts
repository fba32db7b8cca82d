/** Removes case and accents, so "cafe" matches "Café". */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
}

/** Returns whether a folded text has every word of a search. */
export function matcher(search: string): (folded: string) => boolean {
  const words = fold(search).split(/\s+/).filter(Boolean)
  return (folded) => words.every((word) => folded.includes(word))
}
