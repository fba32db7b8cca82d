/** The app shell, injected by the build (vite.config.ts). */
declare const SHELL: {
  /** A hash of all files. When it changes, browsers install a new worker. */
  version: string
  /** The paths to cache in addition to the page and `/config.json`. */
  files: string[]
  /** This version's entry script, which its page must include. */
  entry: string
}
