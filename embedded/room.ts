import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { StartError } from './settings.ts'

const MEGABYTE = 2 ** 20
// Two segments of PostgreSQL's write-ahead log: what it may want at once, and cannot do without.
const TO_WRITE = 32 * MEGABYTE
// An empty database and its first segments.
const TO_BEGIN = 96 * MEGABYTE

/** Whether the disk of `folder` has room enough to write. */
export async function hasRoom(folder: string): Promise<boolean> {
  return (await roomIn(folder)) >= TO_WRITE
}

/**
 * Throws a StartError when the disk is too full for the database in `folder`, or for making it. `existing` is a folder on
 * the same disk.
 */
export async function requireRoom(folder: string, existing = path.dirname(folder)): Promise<void> {
  const [needed, room] = [existsSync(folder) ? TO_WRITE : TO_BEGIN, await roomIn(existing)]
  if (room >= needed) return
  throw new StartError(
    `The disk of ${folder} is full: ${Math.floor(room / MEGABYTE)} MB are free, and ${needed / MEGABYTE} MB are needed; free some, or set TRACKER_DATA_DIR to a folder elsewhere.`,
  )
}

async function roomIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/**
 * Ends the process when PostgreSQL could not write its log: PGlite would then spin for ever at its next statement. Nothing
 * is lost that was acknowledged; it is as after a `kill -9`.
 */
export function endWithoutLog(database: PGlite): void {
  const execute = database.execProtocolStream.bind(database)
  database.execProtocolStream = (...args) =>
    execute(...args).catch((error: Error & { code?: string }) => {
      if (error.code === '53100' && error.message.includes('pg_wal')) {
        console.error(
          'The disk is full, so the tracker ended. Everything that was saved is there; free some room and start again.',
        )
        process.exit(1)
      }
      throw error
    })
}
