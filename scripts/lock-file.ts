// `npm run lock`: completes package-lock.json after a dependency change. npm omits other platforms' optional packages that it
// couldn't look up, and then `npm ci` rejects the lock file.
import { readFile, writeFile } from 'node:fs/promises'

interface LockedPackage {
  version: string
  optional?: boolean
  cpu?: string[]
  os?: string[]
  optionalDependencies?: Record<string, string>
}
export type Lock = { packages: Record<string, LockedPackage> }

export const LOCK_FILE = new URL('../package-lock.json', import.meta.url)

/** Returns optional packages that are missing from the lock file, with the versions that other packages require. */
export function missingPackages({ packages }: Lock): Record<string, string> {
  const wanted = Object.values(packages).flatMap((locked) =>
    Object.entries(locked.optionalDependencies ?? {}),
  )
  const present = (name: string) =>
    Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`))
  return Object.fromEntries(wanted.filter(([name]) => !present(name)))
}

function completed(lock: Lock): Lock {
  const added = Object.entries(missingPackages(lock)).map(([name, version]): [string, LockedPackage] => [
    `node_modules/${name}`,
    { version, optional: true, ...platformOf(name) },
  ])
  const packages = Object.entries(lock.packages).concat(added)
  return { ...lock, packages: Object.fromEntries(packages.toSorted(([a], [b]) => (a < b ? -1 : 1))) }
}

// Package names contain the platform: …-darwin-arm64, …-linux-x64-musl, …-windows-x64.
function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu'> {
  const [, os, cpu] = /(darwin|linux|win32|windows)-(x64|arm64)/.exec(name) ?? []
  if (!os || !cpu)
    throw new Error(
      `The name ${name} doesn't contain a platform. Add the package to package-lock.json by hand.`,
    )
  return { os: [os === 'windows' ? 'win32' : os], cpu: [cpu] }
}

if (process.argv[1] === import.meta.filename) {
  const lock = JSON.parse(await readFile(LOCK_FILE, 'utf8')) as Lock
  await writeFile(LOCK_FILE, `${JSON.stringify(completed(lock), null, 2)}\n`)
}
