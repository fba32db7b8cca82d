// The memory of the installed package with everything that `npx` starts, as the sum of RSS over all processes.
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { syncRides } from '../embedded/stack.ts'
import { temporaryFolder } from '../tests/running.ts'
import { report } from './measure.ts'
import { SIGN_IN } from '../tests/sync/ride-with-gps.ts'
import { serveRides } from './ride-with-gps.ts'
import { measureStart } from './start.ts'

const MANY_RIDES = 20_000
const PEAK_MB = 350
const REST_MB = 280

const execute = promisify(execFile)

export async function memory(): Promise<void> {
  const { folder, remove } = await temporaryFolder()
  try {
    console.log('\nMemory of npx rwgps-maintenance-tracker, all processes')
    report('installed size', (await install(folder)) / 2 ** 20, 'MB', 400)
    // Without npm's own additions to the path, so npx runs in the user's Node.js.
    const PATH = process.env.PATH!.split(path.delimiter).filter((entry) => !entry.includes('node_modules'))
    const command = { program: 'npx', args: ['rwgps-maintenance-tracker'], cwd: folder }
    const userPath = { PATH: PATH.join(path.delimiter) }
    await measure('the sample', { ...command, env: userPath, data: path.join(folder, 'sample') })

    const rides = await serveRides({ rides: MANY_RIDES, latency: 0 })
    const data = path.join(folder, 'rides')
    const whenReady = async (url: string) => {
      const keys = await readFile(path.join(data, 'owner-keys.json'), 'utf8')
      const { scheduleKey } = JSON.parse(keys) as { scheduleKey: string }
      await syncRides(url, scheduleKey)
    }
    const env = { ...userPath, ...SIGN_IN, RWGPS_BASE_URL: rides.url }
    await measure(`${MANY_RIDES} rides and a sync`, { ...command, env, data, whenReady })
    await rides.close()
  } finally {
    await remove()
  }
}

/** Packs the package and installs it without development dependencies. Returns its size in bytes. */
async function install(folder: string): Promise<number> {
  await execute('npm', ['pack', '--silent', '--pack-destination', folder])
  const [file] = await readdir(folder)
  await execute('npm', [
    'install',
    '--omit=dev',
    '--ignore-scripts',
    '--prefer-offline',
    `--prefix=${folder}`,
    path.join(folder, file!),
  ])
  const { stdout } = await execute('du', ['-sb', path.join(folder, 'node_modules')])
  return Number.parseInt(stdout, 10)
}

async function measure(name: string, command: Parameters<typeof measureStart>[0]): Promise<void> {
  for (const start of ['first start', 'second start']) {
    const { peak, rest, peakParts, parts } = await measureStart(command)
    report(`${name}, ${start}: peak`, peak, 'MB', PEAK_MB)
    console.log(`    ${peakParts}`)
    report('  at rest after a minute', rest, 'MB', REST_MB)
    console.log(`    ${parts}`)
  }
}
