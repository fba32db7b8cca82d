import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../embedded/installation.ts'

const PARTS = [
  'bin',
  'deno.json',
  'embedded',
  'hosting',
  'index.html',
  'package-lock.json',
  'package.json',
  'public',
  'sample',
  'scripts',
  'src',
  'supabase',
  'tsconfig.json',
  'vite.config.ts',
]

export interface Project {
  root: string
  addMigration(file: string, sql: string): Promise<void>
  remove(): Promise<void>
}

/** Copies the project, so tests can change it. */
export async function copyProject(): Promise<Project> {
  const root = await mkdtemp(path.join(tmpdir(), 'tracker-project-'))
  await promisify(execFile)('cp', ['-r', ...PARTS, root], { cwd: ROOT })
  await rm(path.join(root, 'supabase/.env.hosted'), { force: true })
  await symlink(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'))
  return {
    root,
    addMigration: (file, sql) => writeFile(path.join(root, 'supabase/migrations', file), sql),
    remove: () => rm(root, { recursive: true, force: true }),
  }
}
