import { randomFillSync } from 'node:crypto'
import { stat, statfs, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'

// An hourly session refresh writes this much in years.
const RESERVE_BYTES = 8 * 2 ** 20
// More than any Auth request writes.
const NEEDED_BYTES = 256 * 2 ** 10
const PLENTY_BYTES = 64 * 2 ** 20

/** Random bytes, since some file systems compress. Reuses one buffer, to use less memory. */
function* randomChunks() {
  const chunk = Buffer.alloc(NEEDED_BYTES)
  for (let bytes = 0; bytes < RESERVE_BYTES; bytes += NEEDED_BYTES) yield randomFillSync(chunk)
}

/**
 * Reserves disk space with a file, so users can still sign in and refresh their session when the disk is full. The returned
 * function frees enough of it for one request.
 */
export async function createDiskReserve(dataFolder: string): Promise<() => Promise<void>> {
  const file = path.join(dataFolder, 'reserve')
  const sizeOf = () =>
    stat(file).then(
      ({ size }) => size,
      () => 0,
    )

  async function freeDiskSpace(): Promise<void> {
    const { bavail, bsize } = await statfs(dataFolder)
    const free = bavail * bsize
    const size = await sizeOf()
    if (free < NEEDED_BYTES && size > 0) await truncate(file, Math.max(0, size + free - NEEDED_BYTES))
    if (free > PLENTY_BYTES && size < RESERVE_BYTES) await writeFile(file, randomChunks())
  }

  await freeDiskSpace()
  return freeDiskSpace
}
