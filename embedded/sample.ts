import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { Database } from './database.ts'
import { sampleLog } from '../sample/log.ts'

/** The file that remembers that the log of the database in `folder` was seeded. */
export const sampleLogMarker = (folder: string) => `${folder}-log-seeded`

/** The sample rider's log, written once; a log that was emptied afterwards stays empty. */
export async function seedSampleLog(database: Database, folder: string): Promise<void> {
  const marker = sampleLogMarker(folder)
  if (existsSync(marker)) return
  await database.turn(() =>
    database.sql.query(
      `insert into public.maintenance (type, name, description, cost, "dateStarted", "dateEnded", "bikeId")
       select type, name, description, coalesce(cost, 0), "dateStarted", "dateEnded", "bikeId"
       from jsonb_populate_recordset(null::public.maintenance, $1)
       where not exists (select from public.maintenance)`,
      [JSON.stringify(sampleLog(new Date()))],
    ),
  )
  await writeFile(marker, '')
}
