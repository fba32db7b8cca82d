import { execFile, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../running.ts'

const execute = promisify(execFile)
const has = (program: string) => spawnSync(program, ['--version']).error === undefined
const UNIT = 'hosting/home/rwgps-maintenance-tracker.service'

test.runIf(has('systemd-analyze'))('systemd accepts the unit and finds it well protected', async () => {
  const { folder, remove } = await temporaryFolder()
  // The unit's program and user don't exist here.
  const unit = (await readFile(UNIT, 'utf8'))
    .replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true')
    .replace(/^User=.*/m, 'User=daemon')
  const file = path.join(folder, path.basename(UNIT))
  await writeFile(file, unit)
  try {
    const { stderr } = await execute('systemd-analyze', ['verify', file])
    expect(stderr).not.toContain(folder)
    // Fails if the exposure level exceeds 2.0 out of 10.
    await execute('systemd-analyze', ['security', '--offline=true', '--threshold=20', file])
  } finally {
    await remove()
  }
})

test('the container and the unit install the same command', async () => {
  const { bin } = JSON.parse(await readFile('package.json', 'utf8')) as { bin: Record<string, string> }
  for (const file of [UNIT, 'Dockerfile']) {
    expect(await readFile(file, 'utf8')).toContain(Object.keys(bin)[0])
  }
})
