// `npm run lock`: completes the lock files after a dependency change. npm omits other platforms' optional packages that it
// couldn't look up, and then `npm ci` rejects the lock file.
import { readFileSync, writeFileSync } from 'node:fs'

interface LockedPackage {
  version: string
  optional?: boolean
  cpu?: string[]
  os?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}
export type Lock = { packages: Record<string, LockedPackage> }

export const LOCK_FILES = ['../package-lock.json', 'supabase-cli/package-lock.json'].map(
  (file) => new URL(file, import.meta.url),
)

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
function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const [, os, cpu] = /(darwin|linux|win32|windows)-(x64|arm64)/.exec(name) ?? []
  if (!os || !cpu)
    throw new Error(
      `The name ${name} doesn't contain a platform. Add the package to package-lock.json by hand.`,
    )
  return {
    os: [os === 'windows' ? 'win32' : os],
    cpu: [cpu],
    ...(name.endsWith('-musl') ? { libc: ['musl'] } : {}),
  }
}

if (process.argv[1] === import.meta.filename) {
  for (const file of LOCK_FILES) {
    const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock
    writeFileSync(file, `${JSON.stringify(completed(lock), null, 2)}\n`)
  }
}
