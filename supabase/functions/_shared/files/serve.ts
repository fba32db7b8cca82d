import { Buffer } from 'node:buffer'
import type { MediaType } from './clean.ts'

/** A file, or its thumbnail, as base64. */
export interface StoredFile {
  name: string
  media_type: MediaType
  content: string
}

/** Responds with a file's bytes. Opened as a page, nothing in them can run. */
export function fileResponse({ name, media_type, content }: StoredFile): Response {
  const disposition = media_type === 'application/pdf' ? 'attachment' : 'inline'
  return new Response(Buffer.from(content, 'base64'), {
    headers: {
      'Content-Type': media_type,
      'Content-Disposition': `${disposition}; filename*=UTF-8''${encoded(name)}`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
      'Content-Security-Policy': "sandbox; default-src 'none'",
    },
  })
}

// RFC 5987 allows fewer characters than URLs.
const encoded = (name: string) =>
  encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
