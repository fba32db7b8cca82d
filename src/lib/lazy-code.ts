const all = new Set<() => Promise<unknown>>()

/** Registers code to load on first use, or earlier by `loadRemainingCode`. */
export function lazyCode<T>(load: () => Promise<T>): () => Promise<T> {
  all.add(load)
  return load
}

/** Loads all registered code, one file after the other, including what that code registers. Never rejects. */
export async function loadRemainingCode(): Promise<void> {
  for (const load of all)
    await load().catch((cause: unknown) => console.warn('Code could not be loaded', cause))
}
