/** Returns how many cases a slow property test tries: all in CI, and a third where someone waits. */
export const cases = (all: number) => (process.env.CI ? all : Math.ceil(all / 3))
