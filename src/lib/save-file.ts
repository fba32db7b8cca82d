const REVOKE_AFTER_MS = 60_000

export function saveFile(name: string, content: BlobPart | BlobPart[], type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content].flat(), { type }))
  link.download = name
  link.click()
  // Some browsers don't read the file right away.
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS)
}
