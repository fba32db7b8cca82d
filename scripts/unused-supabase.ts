// Replaces `@supabase/storage-js` and `@supabase/realtime-js` in bundles: the tracker stores no files and opens no channels.

export class StorageClient {
  readonly isAbsent = true
}

export class StorageApiError extends Error {}

/** supabase-js passes each new access token to `setAuth`. */
export class RealtimeClient {
  setAuth(): void {}
}
