import { randomBytes } from 'node:crypto'
import { stat, statfs, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'

// A session that is refreshed every hour takes this much in years.
const RESERVE_BYTES = 8 * 2 ** 20
// More than any one request of Auth writes.
const NEEDED_BYTES = 256 * 2 ** 10
const PLENTY_BYTES = 64 * 2 ** 20

/**
 * Keeps a file that takes up space for Auth: signing in and refreshing a session write a little, and have to go on when the
 * disk is full. The returned function makes room for one request.
 */
export async function keepReserve(dataFolder: string): Promise<() => Promise<void>> {
  const file = path.join(dataFolder, 'reserve')
  const sizeOf = () =>
    stat(file).then(
      ({ size }) => size,
      () => 0,
    )

  async function makeRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(dataFolder)
    const free = bavail * bsize
    const size = await sizeOf()
    if (free < NEEDED_BYTES && size > 0) await truncate(file, Math.max(0, size + free - NEEDED_BYTES))
    // Random, since some file systems compress.
    if (free > PLENTY_BYTES && size < RESERVE_BYTES) await writeFile(file, randomBytes(RESERVE_BYTES))
  }

  await makeRoom()
  return makeRoom
}
