import { existsSync } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import path from 'node:path'
import { accountPrefix, refuseOldFormat } from '../../embedded/data-folder.ts'
import { findRunning } from '../../embedded/postgres/cluster.ts'
import { clusterFolderOf } from '../../embedded/postgres/server.ts'
import type { RunningStack } from '../../embedded/running.ts'
import { SECRETS_FILE, type Settings } from '../../embedded/settings.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

type Data = Pick<Settings, 'dataFolder' | 'account'>

/** Whether the data folder can be used, and by whom it is; it is neither opened nor written to. */
export async function* checkData(data: Data, tracker: RunningStack | undefined): AsyncIterable<Finding> {
  const { dataFolder, account } = data
  const cluster = clusterFolderOf(data)
  const existing = nearest(dataFolder)
  const refused = await whyNotWritable(existing)
  if (refused) {
    yield problem(
      `${dataFolder} cannot be written (${refused}); free or repair it, or set TRACKER_DATA_DIR to another folder.`,
    )
    return
  }
  if (!existsSync(cluster)) refuseOldFormat(data)

  if (tracker && tracker.account !== account) {
    yield warning(
      `${dataFolder} is used by the running tracker, with ${whose(tracker.account)} data; start it again to see ${whose(account)}.`,
    )
  } else if (tracker) {
    yield ok(`${dataFolder} is used by the running tracker, with ${whose(account)} data.`)
  } else if (findRunning(cluster)) {
    yield warning(`${dataFolder} is in use by a tracker that starts, stops or hangs; wait, or stop it.`)
  } else {
    yield ok(
      existsSync(`${accountPrefix(data)}-keys.json`)
        ? `${dataFolder} has ${whose(account)} data.`
        : `${dataFolder} has no data yet; npm start makes ${whose(account)}.`,
    )
  }
  yield* checkModes([`${accountPrefix(data)}-keys.json`, SECRETS_FILE])
}

const whose = (account: Settings['account']) => (account === 'sample' ? 'the sample’s' : 'your own')

/** The folder itself, or the one in which it would be made. */
function nearest(folder: string): string {
  return existsSync(folder) || path.dirname(folder) === folder ? folder : nearest(path.dirname(folder))
}

/** The system's word for why a folder cannot be written; it also knows of file systems that are read-only for everybody. */
async function whyNotWritable(folder: string): Promise<string | undefined> {
  if (!(await stat(folder)).isDirectory()) return 'ENOTDIR'
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  )
}

/** Files with secrets are their owner's alone; Windows has other means than modes. */
async function* checkModes(files: string[]): AsyncIterable<Finding> {
  if (process.platform === 'win32') return
  for (const file of files.filter((file) => existsSync(file))) {
    const { mode } = await stat(file)
    if (mode & 0o077) yield warning(`Others on this machine may read ${file}; chmod 600 it.`)
  }
}
