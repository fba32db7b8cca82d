// `npm run freeze`: adds the digests of new migrations to the list of released ones, which must never change. Part of a release.
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readMigrations } from '../embedded/migrations.ts'
import { ROOT } from '../embedded/installation.ts'

// The format of `sha256sum`.
const LIST = path.join(ROOT, 'supabase/released.sha256')

/** Lists the migrations, released or present, with both digests. */
export async function compareReleased(list = LIST) {
  const lines = (await readFile(list, 'utf8')).split('\n').filter(Boolean)
  const released = new Map(lines.map((line) => line.split('  ').toReversed() as [string, string]))
  const present = new Map(
    (await readMigrations()).map(({ version, name, sql }) => [
      `${version}_${name}.sql`,
      createHash('sha256').update(sql).digest('hex'),
    ]),
  )
  return [...new Set([...released.keys(), ...present.keys()])]
    .toSorted()
    .map((file) => ({ file, released: released.get(file), present: present.get(file) }))
}

if (process.argv[1] === import.meta.filename) {
  const lines = (await compareReleased()).map(
    ({ file, released, present }) => `${released ?? present}  ${file}\n`,
  )
  await writeFile(LIST, lines.join(''))
}
