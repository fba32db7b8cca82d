// Fixtures from version 1.0 before its migrations became one, commit 5b2ba487: the migrations, and the backup and the data folder
// of a tracker that it ran. Its owner set up bikes, replaced, moved and stored parts, did service, measured, imported, undid and
// dismissed, uses kilometers and euros, and has tokens.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { readMigrations } from '../embedded/migrations.ts'
import { temporaryFolder } from './running.ts'

const archive = zstdDecompressSync(readFileSync(new URL('version-1.0.tar.zst', import.meta.url)))
const extract = (folder: string, ...args: string[]) =>
  execFileSync('tar', ['-xf', '-', '-C', folder, ...args], { input: archive })

const { folder, remove } = await temporaryFolder()
extract(folder, 'backup.json', 'migrations')

export const FORMER_BACKUP = readFileSync(path.join(folder, 'backup.json'), 'utf8')

export const formerMigrations = await readMigrations(path.join(folder, 'migrations'))
await remove()

/** The tokens of the account owner@example.com, whose password is "password". */
export const FORMER_TOKENS = {
  tile: 'rmt_NxFC1cLQztJY2WKVvVChB1Tc3qxw8ABFpY3mHxfj',
  assistant: 'rmt_OCB8scCcHno1h5ZHrraCVn0hwarSIJJFhP39QWcs',
  feed: 'rmt_tNwfnfIQY4limjIDcO7zJoCdVr83nbD4IJ11VDGJ',
}

/** Copies the data folder into a folder. */
export const copyFormerFolder = (to: string) => extract(to, '--strip-components=1', 'data')
