import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROGRAMS } from '../programs.ts'
import { temporaryFolder } from '../running.ts'
import { command } from './commands.ts'

let folder: string
let remove: () => Promise<void>
beforeAll(async () => void ({ folder, remove } = await temporaryFolder()))
afterAll(() => remove())

const run = (name: keyof typeof PROGRAMS, ...args: string[]) =>
  command(name, args, { TRACKER_DATA_DIR: `${folder}/data`, INIT_CWD: folder })

test.each(Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[])(
  '%s rejects unknown options and does nothing else',
  async (name) => {
    const hint = name === 'start' ? 'npm start -- --help' : `npm run ${name} -- --help`
    expect(await run(name, '--nonsense')).toEqual({
      code: 1,
      output: `Unknown option '--nonsense'. For help, run ${hint}.\n`,
    })
    expect(await readdir(folder)).toEqual([])
  },
)

test.each([
  [['-h'], 0, /^Usage: npm run restore file \[-- \[--replace\] \[--sql script\.sql\]\]\n\nRestores /],
  [['one', 'two'], 1, /^Unexpected argument 'two'\. For help, run .+\.\n$/],
  [['backup.json', '--sql'], 1, /^Option '--sql <value>' argument missing\. For help, run .+\.\n$/],
])('restore %j', async (args, code, output) => {
  expect(await run('restore', ...args)).toEqual({ code, output: expect.stringMatching(output) })
})
