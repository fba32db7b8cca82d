import { createHash, timingSafeEqual } from 'node:crypto'
import type { Database } from '../database.ts'
import type { Secrets } from '../secrets.ts'
import { StartError } from '../settings.ts'
import { exportBackup } from './export.ts'
import { parseBackup } from './file.ts'
import { restoreBackup } from './restore.ts'

/** Where the running stack answers the two commands. */
export const BACKUP_PATH = '/embedded/v1/backup'

/**
 * Backup and restore while the stack runs: its database can be open only once. For whoever knows the secret key, which
 * only the user who runs the stack can read. GET answers the backup; PUT restores one, in place of what is there with
 * `?replace=true`, and answers 422 with a sentence when it was refused.
 */
export function createBackupApi(database: Database, secrets: Secrets) {
  return {
    async fetch(request: Request): Promise<Response> {
      if (!isAuthorised(request, secrets)) return new Response(null, { status: 401 })
      if (request.method === 'GET') {
        return new Response(await database.turn(() => exportBackup(database.sql)))
      }
      if (request.method !== 'PUT') return new Response(null, { status: 405 })
      return restore(database, request)
    },
  }
}

async function restore(database: Database, request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  try {
    const backup = parseBackup(await request.text(), 'The file')
    const replace = searchParams.get('replace') === 'true'
    await database.turn(() => restoreBackup(database.sql, backup, { replace }))
    return new Response(null, { status: 204 })
  } catch (error) {
    if (error instanceof StartError) return new Response(error.message, { status: 422 })
    throw error
  }
}

function isAuthorised(request: Request, { secretKey }: Secrets): boolean {
  return timingSafeEqual(digest(request.headers.get('authorization') ?? ''), digest(`Bearer ${secretKey}`))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
