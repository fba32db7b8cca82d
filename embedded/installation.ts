import { existsSync } from 'node:fs'
import { createRequire, findPackageJSON } from 'node:module'
import { homedir } from 'node:os'
import path from 'node:path'

/** The root folder of the clone or the installed package. */
export const ROOT = path.dirname(findPackageJSON(import.meta.url)!)

/** Whether this code runs from the npm package, which contains the built client and JavaScript instead of TypeScript. */
export const isPackage = !import.meta.filename.endsWith('.ts')

/** Returns the command line that runs a tracker command, for messages. */
export function commandLine(command: string): string {
  if (isPackage) return `npx rwgps-maintenance-tracker ${command}`
  return command === 'start' ? 'npm start' : `npm run ${command}`
}

/** Returns the installed package's default data folder, following the operating system's convention. */
export function userDataFolder(
  environment: Record<string, string | undefined>,
  { platform = process.platform, home = homedir() }: { platform?: NodeJS.Platform; home?: string } = {},
): string {
  const { join, isAbsolute } = platform === 'win32' ? path.win32 : path.posix
  // The XDG specification says to ignore relative paths.
  const named = (folder: string | undefined) => (folder && isAbsolute(folder) ? folder : undefined)
  const parent =
    platform === 'win32'
      ? (named(environment.LOCALAPPDATA) ?? join(home, 'AppData', 'Local'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : (named(environment.XDG_DATA_HOME) ?? join(home, '.local', 'share'))
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
