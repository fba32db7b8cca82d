/** How long the page may be busy at a time. */
const STEP_MS = 30

/** Maps a long list in steps, so the page stays responsive. */
export async function mapInSteps<From, To>(list: readonly From[], map: (one: From) => To): Promise<To[]> {
  const mapped: To[] = []
  let end = performance.now() + STEP_MS
  for (const one of list) {
    mapped.push(map(one))
    if (performance.now() < end) continue
    // Steps follow one another on purpose.
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve))
    end = performance.now() + STEP_MS
  }
  return mapped
}
