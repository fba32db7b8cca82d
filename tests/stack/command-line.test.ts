import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../running.ts'
import { command } from './commands.ts'

let folder: string
let remove: () => Promise<void>
beforeAll(async () => void ({ folder, remove } = await temporaryFolder()))
afterAll(() => remove())

const run = (name: Parameters<typeof command>[0], ...args: string[]) =>
  command(name, args, { TRACKER_DATA_DIR: `${folder}/data`, INIT_CWD: folder })

test.each([
  ['start', 'npm start [-- --verbose]'],
  ['backup', 'npm run backup [file]'],
  ['restore', 'npm run restore file [-- [--replace] [--sql script.sql]]'],
  ['connect', 'npm run connect [-- --print]'],
  ['doctor', 'npm run doctor'],
  ['switch-account', 'npm run switch-account'],
] as const)(
  '%s prints its usage, rejects unknown options and arguments, and does nothing else',
  async (name, usage) => {
    for (const help of ['--help', '-h']) {
      const { code, output } = await run(name, help)
      expect([code, output.split('\n')[0]]).toEqual([0, `Usage: ${usage}`])
    }
    const hint = name === 'start' ? 'npm start -- --help' : `npm run ${name} -- --help`
    expect(await run(name, '--nonsense')).toEqual({
      code: 1,
      output: `Unknown option '--nonsense'. For help, run ${hint}.\n`,
    })
    expect(await run(name, 'one', 'two')).toEqual({
      code: 1,
      output: expect.stringMatching(/^Unexpected argument '(one|two)'\. For help, run .+\.\n$/),
    })
    expect(await readdir(folder)).toEqual([])
  },
)

test('restore needs a value for --sql', async () => {
  expect(await run('restore', 'backup.json', '--sql')).toEqual({
    code: 1,
    output: expect.stringMatching(/^Option '--sql <value>' argument missing\. For help, run .+\.\n$/),
  })
})
