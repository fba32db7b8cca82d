import type { Random } from '../../sample/random.ts'
import type { OwnerClient } from '../owner.ts'

type Row = { name: string; cost: number } | null
interface Known {
  /** As the last acknowledged write left it; null: not there. */
  sure: Row
  /** What a write that nobody acknowledged would have made of it. */
  perhaps?: { row: Row }
}

/** The records that were written, as far as their writer can know. */
export class Writes {
  readonly #known = new Map<string, Known>()
  #writer = 0
  acknowledged = 0

  /**
   * Adds, changes and deletes records of its own, one after the other, as long as `goOn` says and every write is
   * acknowledged; resolves to whether all were.
   */
  async write(owner: OwnerClient, bikeId: number, random: Random, goOn = () => true): Promise<boolean> {
    const writer = (this.#writer += 1)
    for (let count = 0; goOn(); count++) {
      const name = `writer ${writer}, record ${random.integer(0, Math.floor(count / 2))}`
      const known = this.#known.get(name) ?? { sure: null }
      this.#known.set(name, known)
      const row = known.sure && random.chance(0.3) ? null : { name, cost: random.integer(0, 9999) }
      known.perhaps = { row }
      if (!(await isAcknowledged(owner, bikeId, known.sure, row, name))) return false
      this.#known.set(name, { sure: row })
      this.acknowledged += 1
    }
    return true
  }

  /** What is wrong with the records that are there now; from now on they are what is known. */
  async faults(owner: OwnerClient): Promise<string[]> {
    const found = await read(owner)
    const faults = [...found.keys()]
      .filter((name) => !this.#known.has(name))
      .map((name) => `${name} is nobody's`)
    for (const [name, { sure, perhaps }] of this.#known) {
      const row = found.get(name) ?? null
      const allowed = [sure, ...(perhaps ? [perhaps.row] : [])]
      if (!allowed.some((one) => one?.cost === row?.cost)) {
        faults.push(`${name} is ${JSON.stringify(row)} instead of ${JSON.stringify(allowed)}`)
      }
      this.#known.set(name, { sure: row })
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
