const GUESSES_PER_MINUTE = 60

/** Creates a function that counts a wrong token, and returns whether its caller may know that it is wrong. */
export function createGuessLimit(now: () => number): () => boolean {
  let [minute, guesses] = [0, 0]
  return () => {
    const current = Math.floor(now() / 60_000)
    guesses = current === minute ? guesses + 1 : 1
    minute = current
    return guesses <= GUESSES_PER_MINUTE
  }
}
