import { Buffer } from 'node:buffer'
import type { RunAnswer } from './command.ts'
import { CodedError } from '../http/errors.ts'
import { cleanFile, type MediaType } from '../files/clean.ts'
import { MAX_FILE_BYTES } from '../files/limits.ts'

interface Given {
  itemId: number
  /** Default: by its type. */
  name?: string | undefined
  /** The length of the thumbnail, which comes first. */
  thumbnail?: number
  key?: string | undefined
}

/** Adds the file in a request's body to an entry. Only reads the body once the caller may add one there. */
export async function receiveFile(
  request: Request,
  { itemId: item_id, name, thumbnail = 0, key }: Given,
  maxBytes: number,
  run: RunAnswer,
): Promise<{ file_id: number; change: string | null }> {
  const length = lengthOf(request, maxBytes)
  await run('check_file', { item_id, key })
  const body = await readBytes(request, length)
  const file = cleanFile(body.subarray(thumbnail))
  if (file === null) throw new CodedError('media_type')
  if (file.mediaType === 'application/pdf' && file.content.length > MAX_FILE_BYTES)
    throw new CodedError('too_large')
  const small = thumbnail > 0 ? cleanFile(body.subarray(0, thumbnail)) : undefined
  if (small !== undefined && !isThumbnail(small?.mediaType)) throw new CodedError('media_type')
  const { answer } = await run('add_file', {
    item_id,
    name: name ?? NAMES[file.mediaType],
    content: base64(file.content),
    ...(small && { thumbnail: base64(small.content) }),
  })
  return answer
}

const NAMES: Record<MediaType, string> = {
  'image/jpeg': 'Photo.jpg',
  'image/png': 'Picture.png',
  'image/webp': 'Photo.webp',
  'application/pdf': 'Document.pdf',
}

const isThumbnail = (mediaType?: MediaType) => mediaType === 'image/webp' || mediaType === 'image/jpeg'

const base64 = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')

function lengthOf({ headers }: Request, maxBytes: number): number {
  const text = headers.get('Content-Length') ?? ''
  if (!/^\d+$/.test(text)) throw new CodedError('length_required')
  const length = Number(text)
  if (length > maxBytes) throw new CodedError('too_large')
  return length
}

async function readBytes({ body }: Request, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  let at = 0
  for await (const chunk of body ?? []) {
    if (at + chunk.length > length) throw new CodedError('too_large')
    bytes.set(chunk, at)
    at += chunk.length
  }
  if (at < length) throw new CodedError('invalid_input')
  return bytes
}
