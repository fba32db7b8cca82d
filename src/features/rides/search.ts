/** Removes case and accents, so "cafe" matches "Café". */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
}

/** Returns a filter for folded names that contain every word of the search. */
export function matcher(search: string): (foldedName: string) => boolean {
  const words = fold(search).split(/\s+/).filter(Boolean)
  return (name) => words.every((word) => name.includes(word))
}
