import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { programFile, PROGRAMS } from '../programs.ts'
import { BLANK_ENVIRONMENT, type Exit } from '../running.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export function command(
  name: keyof typeof PROGRAMS,
  args: string[],
  environment: Record<string, string>,
  root = ROOT,
): Promise<Exit> {
  const env = { ...process.env, ...BLANK_ENVIRONMENT, PORT: '5173', INIT_CWD: ROOT, ...environment }
  const file = root === ROOT ? programFile(name) : PROGRAMS[name]
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr })
    })
  })
}
