// Pictures get small, upright and anonymous in the browser, before they are sent or wait.
import { MAX_FILE_BYTES, MAX_THUMBNAIL_BYTES } from '../../../supabase/functions/_shared/files/limits.ts'
import { MAX_LENGTH } from '../../../supabase/functions/_shared/limits.ts'
import { AppError } from '../../lib/errors.ts'
import { quote } from '../../lib/formats.ts'
import { formatSize } from '../../lib/sizes.ts'
import { fitted } from './fit.ts'
import { HEAD_BYTES, isWhole, mediaTypeOf } from './media-type.ts'

/** A file to send. `body` begins with the thumbnail. */
export type Prepared = {
  name: string
  media_type: string
  size: number
  thumbnail: number
  body: ArrayBuffer
}

const LONGEST = 2048
/** More than any phone's picture has. Decoding takes a multiple of it. */
const MAX_PICTURE = 60 * 2 ** 20
const QUALITY = 0.82

const refusal = (message: string) => new AppError('explained', message, 422)

/** Turns a file into what is stored. Throws an AppError whose sentence names the file. */
export async function prepareFile(file: File): Promise<Prepared> {
  const name = quote(file.name)
  const unreadable = () => refusal(`${name} can’t be read.`)
  const bytesUntil = (end?: number) =>
    file
      .slice(0, end)
      .arrayBuffer()
      .catch(() => Promise.reject(unreadable()))
  const type = mediaTypeOf(new Uint8Array(await bytesUntil(HEAD_BYTES)))
  if (type === null)
    throw refusal(`${name} can’t be added. Photos are JPEG, PNG, WebP or HEIC, receipts also PDF.`)
  const isPdf = type === 'application/pdf'
  if (file.size > (isPdf ? MAX_FILE_BYTES : MAX_PICTURE)) throw refusal(tooLarge(file, isPdf))
  const content = await bytesUntil()
  if (isPdf) return prepared(file.name, type, null, content)
  if (!isWhole(new Uint8Array(content), type)) throw refusal(`${name} is damaged. Its end is missing.`)
  const picture = await decode(new Blob([content], { type })).catch(() => {
    throw refusal(
      type === 'image/heic'
        ? `${name} is HEIC, which this browser can’t read. Choose it as JPEG.`
        : `${name} is damaged.`,
    )
  })
  try {
    const { blob, draw } = await encoded(picture)
    return prepared(file.name, blob.type, await thumbnailOf(draw, blob.type), await blob.arrayBuffer())
  } finally {
    picture.close()
  }
}

const tooLarge = ({ name, size }: File, isPdf: boolean) =>
  `${quote(name)} is ${formatSize(size)}. A ${isPdf ? 'PDF' : 'photo'} may be up to ${formatSize(isPdf ? MAX_FILE_BYTES : MAX_PICTURE)}.`

async function prepared(
  name: string,
  media_type: string,
  thumbnail: Blob | null,
  content: ArrayBuffer,
): Promise<Prepared> {
  const body = await new Blob(thumbnail ? [thumbnail, content] : [content]).arrayBuffer()
  const shortened = name.trim().slice(0, MAX_LENGTH.entry_files.name) || 'Photo'
  return { name: shortened, media_type, size: content.byteLength, thumbnail: thumbnail?.size ?? 0, body }
}

/** Decodes a picture as it is to be seen, however the camera was held. */
const decode = (blob: Blob) => createImageBitmap(blob, { imageOrientation: 'from-image' })

type Draw = (longest: number) => HTMLCanvasElement

/** Encodes a picture as WebP, or as JPEG in browsers that can't. */
async function encoded(picture: ImageBitmap): Promise<{ blob: Blob; draw: Draw }> {
  const whole = drawn(picture, LONGEST)
  const blob = await toBlob(whole, 'image/webp', QUALITY)
  return {
    blob: blob.type === 'image/webp' ? blob : await toBlob(whole, 'image/jpeg', QUALITY),
    draw: (longest) => drawn(whole, longest),
  }
}

/** Draws a picture smaller, in steps, because one step would skip most of its pixels in some browsers. */
function drawn(picture: ImageBitmap | HTMLCanvasElement, longest: number): HTMLCanvasElement {
  const { width, height } = fitted(picture, longest)
  if (width * 2 < picture.width)
    return drawn(drawn(picture, Math.ceil(Math.max(picture.width, picture.height) / 2)), longest)
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d')!
  // What is transparent would be black in a JPEG, and black text on a dark screen.
  context.fillStyle = 'white'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, width, height)
  return canvas
}

const toBlob = (canvas: HTMLCanvasElement, type: string, quality: number) =>
  new Promise<Blob>((resolve, reject) => {
    const done = (blob: Blob | null) =>
      blob ? resolve(blob) : reject(refusal('This browser can’t store the photo.'))
    canvas.toBlob(done, type, quality)
  })

const THUMBNAILS = [240, 160, 96].flatMap((longest) =>
  [0.7, 0.5, 0.3].map((quality) => ({ longest, quality })),
)

async function thumbnailOf(draw: Draw, type: string): Promise<Blob | null> {
  for (const { longest, quality } of THUMBNAILS) {
    // oxlint-disable-next-line no-await-in-loop -- until one is small enough
    const blob = await toBlob(draw(longest), type, quality)
    if (blob.size <= MAX_THUMBNAIL_BYTES) return blob
  }
  return null
}
