import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { insert, openMigratedDatabase } from './databases.ts'
import { isSomePartInTwoPlaces, onePeriod, type Period } from './places.ts'

const database = await openMigratedDatabase()
afterAll(() => database.close())
await database.run(`
  insert into public.bikes (gear_id, name) values (7, 'Road'), (8, 'Gravel'); insert into public.parts values (1), (2), (3)`)

test('a log is saved exactly if no part is in two places at once', async () => {
  const property = fc.asyncProperty(fc.array(onePeriod, { maxLength: 5 }), async (periods) => {
    expect(await isSaved(periods)).toBe(!isSomePartInTwoPlaces(periods))
  })
  await fc.assert(property, { numRuns: 100 })
})

async function isSaved(periods: readonly Period[]): Promise<boolean> {
  try {
    await database.run(`
      ${insert(
        'maintenance',
        periods.map((period) => ({ ...period, name: 'Chain' })),
      )}
      delete from public.maintenance`)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'RMT10') return false
    throw error
  }
}
