import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sql } from 'postgres'
import { dollarQuoted } from './dollar-quoted.ts'
import { commandLine, ROOT } from './installation.ts'
import { StartError } from './settings.ts'

export interface Migration {
  version: string
  name: string
  sql: string
}

/** The newest migration of the last preview of version 1.0. Its migrations had the same versions as today's, but were edited. */
export const PREVIEW = '20261123101700'

// The SQLSTATE of errors whose message is for the owner.
const REFUSED = 'RMT06'

/** Instructions for moving the data of a database that this version can't open. */
export const MOVE_DATA =
  `Or move the data: run ${commandLine('backup')} tracker.json with the version that created the database, then ` +
  `${commandLine('restore')} tracker.json with this one and TRACKER_DATA_DIR set to an empty folder, or DATABASE_URL to an empty database.`

/** Returns SQL that upgrades a database of the last preview of version 1.0: one statement, so it is atomic. */
export async function upgradeScript(migrations: Migration[]): Promise<string> {
  const body = await readFile(path.join(ROOT, 'supabase/upgrade.sql'), 'utf8')
  const list = dollarQuoted(JSON.stringify(migrations))
  return `do ${dollarQuoted(body.replace(/(?<!:):migrations\b/, () => list))};\n`
}

/** Throws a StartError if the upgrade would fail. Changes nothing. */
export async function requireUpgradable(sql: Sql, migrations: Migration[]): Promise<void> {
  const undo = new Error('undo')
  await sql
    .begin(async (transaction) => {
      // The upgrade itself repeats the notices.
      await transaction`set local client_min_messages = warning`
      await upgrade(transaction, migrations)
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
}

/** Upgrades a database in one transaction. Throws a StartError if that fails. */
export async function upgrade(sql: Pick<Sql, 'unsafe'>, migrations: Migration[]): Promise<void> {
  try {
    await sql.unsafe(await upgradeScript(migrations))
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    if (code === REFUSED) throw new StartError(`${message} ${MOVE_DATA}`)
    throw new StartError(`The upgrade failed and was undone: ${message}.`, { cause: error })
  }
}
