import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { NOTHING_SET, type Ended } from '../running.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs `npm run backup` or `npm run restore` to its end, on the data folder that the environment names. */
export function command(
  name: 'backup' | 'restore',
  args: string[],
  environment: Record<string, string>,
): Promise<Ended> {
  const env = { ...process.env, ...NOTHING_SET, PORT: '5173', INIT_CWD: ROOT, ...environment }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [`scripts/${name}.ts`, ...args],
      { cwd: ROOT, env },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr })
      },
    )
  })
}
