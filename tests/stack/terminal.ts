import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'vitest'

/** Whether the `script` command is from util-linux, as on Debian, and can open a pseudo-terminal. */
export const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes(
  'util-linux',
)

export interface Terminal {
  /** Returns the output without control sequences. */
  screen(): string
  /** Waits until the screen ends with `prompt`, then types `keys` and Enter. */
  answer(prompt: string, keys: string): Promise<void>
  ended: Promise<number | null>
}

export function openTerminal(command: string, cwd: string, env: NodeJS.ProcessEnv): Terminal {
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    cwd,
    env,
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (printed += text))
  const screen = () => stripVTControlCharacters(printed)
  return {
    screen,
    async answer(prompt, keys) {
      await expect.poll(screen, { interval: 20 }).toMatch(new RegExp(`${prompt}$`))
      child.stdin.write(`${keys}\r`)
    },
    ended: once(child, 'close').then(([code]) => code as number | null),
  }
}
