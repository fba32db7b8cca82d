/** Random numbers that depend only on the seed, not on the machine. */
export interface Random {
  /** Returns a number from `low` up to, but not including, `high`. */
  between(low: number, high: number): number
  /** Returns an integer from `low` to `high`, inclusive. */
  integer(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(choices: readonly [T, ...T[]]): T
  skip(count: number): Random
}

export function randomFor(seed: string): Random {
  let state = hash(seed)
  // Mulberry32: small, fast and uniform enough for sample rides.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const random: Random = {
    between: (low, high) => low + next() * (high - low),
    integer,
    chance: (probability) => next() < probability,
    pick: (choices) => choices[integer(0, choices.length - 1)] ?? choices[0],
    skip: (count) => {
      for (let skipped = 0; skipped < count; skipped += 1) next()
      return random
    },
  }
  return random
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value
}
