/** Replaces `@supabase/storage-js` in the bundle (see vite.config.ts), since the tracker stores no files. */
export class StorageClient {
  readonly isAbsent = true
}

export class StorageApiError extends Error {}
