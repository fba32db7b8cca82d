/** The longest body with a file, in bytes. Other bodies may have 16 kB. */
export const MAX_BODY_BYTES = 6 * 2 ** 20
/** The longest PDF, and the longest file that other software sends. */
export const MAX_FILE_BYTES = 5 * 2 ** 20
/** The longest thumbnail. */
export const MAX_THUMBNAIL_BYTES = 8 * 2 ** 10

/** Finds the requests whose body is a file: POST of the function and of the API. */
export const FILE_PATH = /^\/functions\/v1\/(?:files|api\/v1\/log\/\d{1,15}\/files)$/
