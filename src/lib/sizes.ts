import { formatNumber } from './formats.ts'

const KB = 1024

/** Says how large a file is, rounded up: `312 kB`, `7.2 MB`. */
export const formatSize = (bytes: number): string =>
  bytes <= 1000 * KB
    ? `${formatNumber(Math.ceil(bytes / KB))} kB`
    : `${formatNumber(Math.ceil((bytes / KB / KB) * 10) / 10)} MB`
