import type { Random } from '../../sample/random.ts'
import type { OwnerClient } from '../owner.ts'

type Row = { name: string; cost: number } | null
interface Expected {
  /** The row after the last acknowledged write, or null if it was deleted. */
  saved: Row
  /** The row after a write that was never acknowledged and may or may not have been saved. */
  unconfirmed?: { row: Row }
}

export class Writes {
  readonly #expected = new Map<string, Expected>()
  #writer = 0
  acknowledged = 0

  /** Writes until `isRunning` returns false or a write fails. Resolves to whether every write was acknowledged. */
  async write(owner: OwnerClient, bikeId: number, random: Random, isRunning = () => true): Promise<boolean> {
    const writer = (this.#writer += 1)
    for (let count = 0; isRunning(); count++) {
      const name = `writer ${writer}, item ${random.integer(0, Math.floor(count / 2))}`
      const expected = this.#expected.get(name) ?? { saved: null }
      this.#expected.set(name, expected)
      const row = expected.saved && random.chance(0.3) ? null : { name, cost: random.integer(0, 9999) }
      expected.unconfirmed = { row }
      if (!(await isAcknowledged(owner, bikeId, expected.saved, row, name))) return false
      this.#expected.set(name, { saved: row })
      this.acknowledged += 1
    }
    return true
  }

  /** Compares the database with the expected items. The next call expects the rows found by this call. */
  async faults(owner: OwnerClient): Promise<string[]> {
    const found = await read(owner)
    const faults = [...found.keys()]
      .filter((name) => !this.#expected.has(name))
      .map((name) => `${name} was never written`)
    for (const [name, { saved, unconfirmed }] of this.#expected) {
      const row = found.get(name) ?? null
      const allowed = [saved, ...(unconfirmed ? [unconfirmed.row] : [])]
      if (!allowed.some((one) => one?.cost === row?.cost)) {
        faults.push(`${name} is ${JSON.stringify(row)} instead of ${JSON.stringify(allowed)}`)
      }
      this.#expected.set(name, { saved: row })
    }
    return faults
  }
}

async function isAcknowledged(owner: OwnerClient, bikeId: number, before: Row, after: Row, name: string) {
  const log = owner.from('maintenance')
  const write = () => {
    if (!after) return log.delete().eq('name', name)
    if (before) return log.update({ cost: after.cost }).eq('name', name)
    return log.insert({ ...after, bikeId, dateStarted: '2026-01-01 01:00:00' })
  }
  const { error } = await write()
  return !error
}

const PAGE = 1000

async function read(owner: OwnerClient): Promise<Map<string, { name: string; cost: number }>> {
  const found = new Map<string, { name: string; cost: number }>()
  for (let from = 0; ; from += PAGE) {
    const { data, error } = await owner
      .from('maintenance')
      .select('name, cost')
      .like('name', 'writer %')
      .order('id')
      .range(from, from + PAGE - 1)
    if (error) throw new Error(error.message)
    for (const row of data) found.set(row.name, row)
    if (data.length < PAGE) return found
  }
}
