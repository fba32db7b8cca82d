/** What the build tells the service worker. */
declare const SHELL: {
  /** Of all that is kept: another one is another worker. */
  version: string
  /** The paths to keep, but for the page and `/config.json`. */
  files: string[]
  /** The path of the script that the page of this version begins with. */
  entry: string
}
