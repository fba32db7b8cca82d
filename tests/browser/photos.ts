import { Buffer } from 'node:buffer'
import type { Locator, Page } from '@playwright/test'
import type { OwnerClient } from '../owner.ts'

export const GPS = 'GPS 47.1234 N 8.5678 E'

/** Draws a photo of which the left half is red and the right one blue, as a JPEG of a camera that lay on its side. */
export async function photo(page: Page, name: string, { width = 3000, height = 2000 } = {}) {
  const base64 = await page.evaluate(
    ([width, height]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      const context = canvas.getContext('2d')!
      for (const [index, color] of ['red', 'blue'].entries()) {
        context.fillStyle = color
        context.fillRect((index * width!) / 2, 0, width! / 2, height!)
      }
      return canvas.toDataURL('image/jpeg').split(',')[1]!
    },
    [width, height],
  )
  const bytes = Buffer.from(base64, 'base64')
  // Orientation 6: its right side is the bottom.
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex')
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff, Buffer.from(GPS)])
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2])
  const buffer = Buffer.concat([bytes.subarray(0, 2), head, exif, bytes.subarray(2)])
  return { name, mimeType: 'image/jpeg', buffer }
}

export const receipt = (name: string, size = 1000) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(size)]),
})

type Given = { name: string; mimeType: string; buffer: Buffer }

/** Chooses files with the button of the section `Photos and receipts`. */
export async function choose(button: Locator, files: Given | Given[]) {
  const [chooser] = await Promise.all([button.page().waitForEvent('filechooser'), button.click()])
  await chooser.setFiles(files)
}

/** Drops or pastes files. Playwright can't, but the browser can be told that it happened. */
export const give = (target: Locator, event: 'drop' | 'paste', { name, mimeType, buffer }: Given) =>
  target.evaluate(
    (element, { event, name, mimeType, base64 }) => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0)!)
      data.items.add(new File([bytes], name, { type: mimeType }))
      const init = { bubbles: true, cancelable: true }
      element.dispatchEvent(
        event === 'drop'
          ? new DragEvent('drop', { ...init, dataTransfer: data })
          : new ClipboardEvent('paste', { ...init, clipboardData: data }),
      )
    },
    { event, name, mimeType, base64: buffer.toString('base64') },
  )

/** Reads the names of the files that are stored with an entry. */
export async function storedFiles(owner: OwnerClient, item: number) {
  const { data } = await owner
    .from('entry_files')
    .select('id, name, media_type, size')
    .eq('item_id', item)
    .order('id')
  return data!
}

/** Reads what the tracker answers to a page that asks for a file. */
export async function readStored(url: string, owner: OwnerClient, id: number, thumbnail = '') {
  const { data } = await owner.auth.getSession()
  const response = await fetch(`${url}/functions/v1/files?id=${id}${thumbnail}`, {
    headers: { Authorization: `Bearer ${data.session!.access_token}` },
  })
  return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) }
}

/** Decodes a picture, and returns its size and the colors of its first and its last pixel. */
export const look = (page: Page, bytes: Buffer) =>
  page.evaluate(async (base64) => {
    const decoded = Uint8Array.from(atob(base64), (character) => character.codePointAt(0)!)
    const picture = await createImageBitmap(new Blob([decoded]))
    const { width, height } = picture
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')!
    context.drawImage(picture, 0, 0)
    const colorAt = (x: number, y: number) => {
      const [red, , blue] = context.getImageData(x, y, 1, 1).data
      return red! > blue! ? 'red' : 'blue'
    }
    return { width, height, colors: [colorAt(0, 0), colorAt(width - 1, height - 1), colorAt(width - 1, 0)] }
  }, bytes.toString('base64'))
