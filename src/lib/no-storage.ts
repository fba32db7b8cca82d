/**
 * Stands in for `@supabase/storage-js` in the bundle (see vite.config.ts): the tracker keeps no files, and nobody
 * who signs in should wait for a library that is never called.
 */
export class StorageClient {
  readonly isAbsent = true
}

export class StorageApiError extends Error {}
