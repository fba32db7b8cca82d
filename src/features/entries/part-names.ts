export { nameKey } from '../../../supabase/functions/_shared/parts/part-names.ts'

const wordsOf = (name: string) =>
  new Set(
    name
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  )

/** Returns the share of words that two names have in common, from 0 to 1. */
export function likeness(one: string, other: string): number {
  const [words, others] = [wordsOf(one), wordsOf(other)]
  return words.intersection(others).size / (words.union(others).size || 1)
}
