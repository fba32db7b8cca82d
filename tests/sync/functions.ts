import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const SERVE = fileURLToPath(new URL('serve-functions.ts', import.meta.url))

export interface FunctionsProcess {
  url: string
  /** Everything the process and Deno have printed so far. */
  output(): string
  /** The Deno process that runs the functions. */
  denoPid: number
  stop(): Promise<void>
}

/** Starts the real functions in their own process with this environment. */
export async function startFunctionsProcess(environment: Record<string, string>): Promise<FunctionsProcess> {
  const child = spawn(process.execPath, [SERVE], {
    env: { ...process.env, FUNCTIONS_ENVIRONMENT: JSON.stringify(environment) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const printed: string[] = []
  const output = () => printed.join('')
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed.push(text)
        const found = /^functions at (\S+)$/m.exec(output())?.[1]
        if (found) resolve(found)
      })
    }
    child.once('exit', () => reject(new Error(`The functions did not start:\n${output()}`)))
  })
  return {
    url,
    output,
    denoPid: childOf(child.pid!),
    async stop() {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}

const childOf = (pid: number) =>
  Number(
    execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)[0],
  )
