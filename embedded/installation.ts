import { existsSync, readFileSync } from 'node:fs'
import { createRequire, findPackageJSON } from 'node:module'
import { homedir } from 'node:os'
import path from 'node:path'

/** The root folder of the clone or the installed package. */
export const ROOT = path.dirname(findPackageJSON(import.meta.url)!)

/** Whether this code runs from the npm package, which contains the built client and JavaScript instead of TypeScript. */
export const isPackage = !import.meta.filename.endsWith('.ts')

/** Returns the command line that runs a tracker command, for messages. */
export function commandLine(command: string): string {
  if (isPackage) return `${program(ROOT)} ${command}`
  return command === 'start' ? 'npm start' : `npm run ${command}`
}

const PROGRAM = 'rwgps-maintenance-tracker'

/**
 * Returns how the owner runs the package in this folder: with npx and the package's file, or by the global command's name.
 * Never `npx` with a bare name, because that could run someone else's package.
 */
export function program(
  root: string,
  { cwd = process.cwd(), searchPath = process.env.PATH ?? '' } = {},
): string {
  const file = npxFile(root)
  if (file !== undefined) {
    const relative = path.relative(cwd, file)
    const isInside = !relative.startsWith('..') && !path.isAbsolute(relative)
    // Without `file:`, npx tries to run the file as a program.
    return `npx ${isInside ? `.${path.sep}${relative}` : `file:${file}`}`
  }
  return globalCommand(searchPath) ? PROGRAM : path.join(root, 'bin', `${PROGRAM}.js`)
}

/** Returns the path of the command on the search path, except in folders that npm only adds for its own processes. */
export function globalCommand(searchPath = process.env.PATH ?? ''): string | undefined {
  return searchPath
    .split(path.delimiter)
    .filter((folder) => !folder.endsWith(path.join('node_modules', '.bin')))
    .map((folder) => path.join(folder, PROGRAM))
    .find((file) => existsSync(file))
}

/** Returns whether a systemd unit with ProtectHome can't run this program, for example one that pnpm or bun installed. */
export const isInHome = (file: string): boolean => /^\/(?:home|root|run\/user)\//.test(file)

/** Returns the file that npx installed the package from; undefined if npx did not install it. */
function npxFile(root: string): string | undefined {
  const folder = path.join(root, '../..')
  if (path.basename(path.dirname(folder)) !== '_npx') return undefined
  try {
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>
    }
    const [, file] = /^file:(.*)$/.exec(manifest.dependencies?.[PROGRAM] ?? '') ?? []
    return file !== undefined ? path.resolve(folder, file) : undefined
  } catch {
    return undefined
  }
}

/** Returns the installed package's default data folder, following the operating system's convention. */
export function userDataFolder(
  environment: Record<string, string | undefined>,
  { platform = process.platform, home = homedir }: { platform?: NodeJS.Platform; home?: () => string } = {},
): string {
  const { join, isAbsolute } = platform === 'win32' ? path.win32 : path.posix
  // The XDG specification says to ignore relative paths.
  const named = (folder: string | undefined) => (folder && isAbsolute(folder) ? folder : undefined)
  const parent =
    platform === 'win32'
      ? (named(environment.LOCALAPPDATA) ?? join(home(), 'AppData', 'Local'))
      : platform === 'darwin'
        ? join(home(), 'Library', 'Application Support')
        : (named(environment.XDG_DATA_HOME) ?? join(home(), '.local', 'share'))
  return join(parent, 'rwgps-maintenance-tracker')
}

/** Returns the path of a file in an npm package; undefined if the package or the file isn't installed. */
export function installedFile(packageName: string, file: string): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${packageName}/package.json`)
    const found = path.join(path.dirname(manifest), file)
    return existsSync(found) ? found : undefined
  } catch {
    return undefined
  }
}
