import { existsSync } from 'node:fs'
import { PGlite, type Extensions, type PGliteOptions } from '@electric-sql/pglite'
import { createPgliteConnection, type PgliteConnection } from '@supabase/lite/pglite'
import { makingDatabase, requireSamePostgres, requireWritable } from './data-folder.ts'
import { endWithoutLog, requireRoom } from './room.ts'
import { StartError } from './settings.ts'

// Values as PostgREST writes them, by type id: numeric as a number, also one that ends in a zero; timestamps in ISO 8601.
const AS_POSTGREST = {
  1700: Number,
  1114: (text: string) => text.replace(' ', 'T'),
  1184: (text: string) => text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'),
}

// PostgreSQL's own cache, 128 MB unless said, is for databases of another size: years of rides are a tenth of it.
const START_PARAMETERS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

/** Opens the database in `folder` (in memory without one) as it is; a folder without one gets an empty one. */
export async function connect(folder?: string, extensions: Extensions = {}): Promise<PgliteConnection> {
  const pgliteOptions = { parsers: AS_POSTGREST, extensions, startParams: START_PARAMETERS }
  const connection =
    folder === undefined
      ? await createPgliteConnection({ pgliteOptions })
      : await connectTo(folder, pgliteOptions)
  dropParameters(connection.driver)
  return connection
}

async function connectTo(folder: string, pgliteOptions: PGliteOptions): Promise<PgliteConnection> {
  await requireSamePostgres(folder)
  await requireRoom(folder)
  // It may be another user's, while the data folder is not.
  if (existsSync(folder)) await requireWritable(folder)
  return makingDatabase(folder, async () => {
    const connection = await createPgliteConnection({ url: folder, pgliteOptions })
    await connection.driver.waitReady.catch((error: Error) => {
      throw new StartError(
        `The database in ${folder} cannot be opened (${error.message}); move it elsewhere, and restore a backup.`,
      )
    })
    endWithoutLog(connection.driver)
    return connection
  })
}

/**
 * PGlite hangs the parameters of a failed statement on its error, and Supabase Lite prints them: e-mails, hashes of
 * passwords and what the owner wrote. They have no place in a log.
 */
function dropParameters(driver: PGlite): void {
  const query = driver.query.bind(driver)
  driver.query = async (...call: Parameters<PGlite['query']>) => {
    try {
      return await query(...call)
    } catch (error) {
      if (error instanceof Error && 'params' in error) delete error.params
      throw error
    }
  }
}
