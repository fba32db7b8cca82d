import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../embedded/port.ts'

const SERVE = fileURLToPath(new URL('serve-functions.ts', import.meta.url))
const CONFIG = fileURLToPath(new URL('../../supabase/functions/deno.json', import.meta.url))
const UPDATE_RIDES = fileURLToPath(new URL('../../supabase/functions/update-rides/index.ts', import.meta.url))

export interface FunctionsProcess {
  url: string
  output(): string
  denoPid: number
  stop(): Promise<void>
}

/** If TEST_DENO contains the path of another Deno, starts only update-rides with it, like a hosted project. */
export async function startFunctionsProcess(environment: Record<string, string>): Promise<FunctionsProcess> {
  const deno = process.env.TEST_DENO
  const child = deno ? await serveUpdateRides(deno, environment) : serveAll(environment)
  const printed: string[] = []
  const output = () => printed.join('')
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed.push(text)
        const found = /^(?:functions at|deno serve: Listening on) (http:\S+?)\/?$/m.exec(output())?.[1]
        if (found) resolve(found)
      })
    }
    child.once('exit', () => reject(new Error(`The functions did not start:\n${output()}`)))
  })
  return {
    url,
    output,
    denoPid: deno ? child.pid! : childOf(child.pid!),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      if (deno) child.kill()
      else child.stdin.end()
      await ended
    },
  }
}

const serveAll = (environment: Record<string, string>) =>
  spawn(process.execPath, [SERVE], {
    env: { ...process.env, FUNCTIONS_ENVIRONMENT: JSON.stringify(environment) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })

async function serveUpdateRides(deno: string, environment: Record<string, string>) {
  const options = [
    '--no-check',
    '--no-prompt',
    '--cached-only',
    '--allow-env',
    '--allow-net',
    `--config=${CONFIG}`,
  ]
  const address = ['--host=127.0.0.1', `--port=${await freePort()}`]
  return spawn(deno, ['serve', ...options, ...address, UPDATE_RIDES], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

const childOf = (pid: number) =>
  Number(
    execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)[0],
  )
