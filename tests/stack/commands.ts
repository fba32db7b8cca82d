import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { BLANK_ENVIRONMENT, type Exit } from '../running.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const SCRIPTS = {
  backup: 'scripts/backup.ts',
  restore: 'scripts/restore.ts',
  doctor: 'scripts/doctor.ts',
  'switch-account': 'scripts/switch-account.ts',
}

/** Runs a command from package.json and waits until it exits. */
export function command(
  name: keyof typeof SCRIPTS,
  args: string[],
  environment: Record<string, string>,
  root = ROOT,
): Promise<Exit> {
  const env = { ...process.env, ...BLANK_ENVIRONMENT, PORT: '5173', INIT_CWD: ROOT, ...environment }
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPTS[name], ...args], { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr })
    })
  })
}
