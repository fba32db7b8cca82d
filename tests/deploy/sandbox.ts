import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { freePort } from '../../embedded/port.ts'
import { programFile } from '../programs.ts'
import { BLANK_ENVIRONMENT, temporaryFolder } from '../running.ts'
import { copyProject } from '../stack/project.ts'

export interface Sandbox {
  root: string
  /** Runs a command line. Rejects with its output if it fails. */
  run(command: string, environment?: Record<string, string>): Promise<string>
  /** Runs a server, calls `use` with the address that it prints, and stops it. */
  serve<T>(command: string, use: (url: string) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Opens a copy of the project. `data` are the settings of its tracker. */
export async function openSandbox(data: Record<string, string> = {}): Promise<Sandbox> {
  const project = await copyProject()
  await useBundledCommands(path.join(project.root, 'package.json'))
  const { folder: home, remove } = await temporaryFolder()
  await mkdir(path.join(home, 'backups'))

  const environment = {
    ...process.env,
    ...BLANK_ENVIRONMENT,
    PORT: String(await freePort()),
    DO_NOT_TRACK: '1',
    ...data,
  }
  // Process groups to kill after a test times out.
  const running = new Set<number>()
  const launch = (command: string, more: Record<string, string> = {}) => {
    // The clone's dependencies are already installed, and npx only finds packages in this folder.
    const line = command
      .replace(/^npm ci\b/, 'npm ci --dry-run')
      .replace(/\bnpx (?=deno )/, 'node_modules/.bin/')
      .replaceAll('~/', `${home}/`)
    const child = spawn('sh', ['-c', line], {
      cwd: project.root,
      env: { ...environment, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Starts a process group, so children can be stopped, too.
      detached: true,
    })
    const { pid } = child
    running.add(pid!)
    child.once('close', () => running.delete(pid!))
    const printed: string[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => printed.push(text))
    // Some tools print colors if CI is set.
    const output = () => stripVTControlCharacters(printed.join(''))
    return { child, ended: once(child, 'close'), output }
  }

  return {
    root: project.root,
    async run(command, more) {
      const { ended, output } = launch(command, more)
      const [code] = await ended
      if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output()}`)
      return output()
    },
    async serve(command, use) {
      const { child, ended, output } = launch(command)
      const address = new Promise<string>((resolve, reject) => {
        const look = () => {
          const found = /(?:Ready|Local): +(http:\S+?)\/?\s/.exec(output())?.[1]
          if (found) resolve(found)
        }
        for (const stream of [child.stdout, child.stderr]) stream.on('data', look)
        void ended.then(() => reject(new Error(`${command} ended:\n${output()}`)))
      })
      try {
        return await use(await address)
      } finally {
        if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM')
        await ended
      }
    },
    async close() {
      for (const pid of running) process.kill(-pid, 'SIGKILL')
      await Promise.all([project.remove(), remove()])
    },
  }
}

/** Makes the npm scripts run the bundled commands. */
async function useBundledCommands(packageFile: string): Promise<void> {
  let text = await readFile(packageFile, 'utf8')
  for (const name of ['backup', 'restore', 'doctor', 'switch-account'] as const)
    text = text.replace(`scripts/cli.ts ${name}"`, `${programFile(name)}"`)
  await writeFile(packageFile, text)
}
