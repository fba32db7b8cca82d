// Stands for the package idb-keyval, whose database only browsers have.

/** What the browser has stored. */
export const stored = new Map<string, unknown>()

let transactions: Promise<unknown> = Promise.resolve()

const rows = {
  get: (key: string) => structuredClone(stored.get(key)),
  put: (row: unknown, key: string) => void stored.set(key, structuredClone(row)),
  delete: (key: string) => void stored.delete(key),
}

export const createStore = () => (_mode: string, work: (from: typeof rows) => Promise<void>) =>
  (transactions = transactions.then(() => work(rows)))
export const promisifyRequest = (result: unknown) => Promise.resolve(result)
export const get = (key: string) => Promise.resolve(structuredClone(stored.get(key)))
export const set = () => Promise.resolve()
export async function update(key: string, by: (before: unknown) => unknown) {
  stored.set(key, structuredClone(by(await get(key))))
}
