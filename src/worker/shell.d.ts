/** The app shell, injected by the build (vite.config.ts). */
declare const SHELL: {
  /** A hash of all files. A new version is a new worker. */
  version: string
  /** The paths to cache, besides the page and `/config.json`. */
  files: string[]
  /** The entry script of this version's page. */
  entry: string
}
