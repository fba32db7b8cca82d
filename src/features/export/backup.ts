import * as v from 'valibot'

import type { Client } from '../../lib/backend.ts'
import { type BackupPiece, backupText } from '../../lib/backup-file.ts'
import { callSql } from '../../lib/functions.ts'

const Piece = v.object({
  schema: v.string(),
  tables: v.record(v.string(), v.array(v.string())),
  next: v.nullable(v.string()),
  snapshot: v.string(),
})

// Pieces need little memory on the tracker's machine. If others keep writing in between, everything is read at once.
const SIZES = [2000, 2000, undefined]

/** Reads one snapshot of all tables as the parts of a backup file. Files may be left out. */
export async function readBackup(
  client: Client,
  signal: AbortSignal,
  withoutFiles = false,
): Promise<string[]> {
  for (const size of SIZES) {
    const snapshots = new Set<string>()
    const read = async (after: string | null): Promise<BackupPiece> => {
      const answer = await callSql(
        client,
        'backup',
        { ...(size && { size }), ...(after && { after }), ...(withoutFiles && { without_files: true }) },
        signal,
      )
      const piece = v.parse(Piece, answer)
      snapshots.add(piece.snapshot)
      return snapshots.size > 1 ? { ...piece, next: null } : piece
    }
    // With many files, it is longer than a text may be.
    const parts: string[] = []
    for await (const part of backupText(read)) parts.push(part)
    if (snapshots.size === 1) return parts
  }
  throw new Error('Reading everything at once is one snapshot.')
}
