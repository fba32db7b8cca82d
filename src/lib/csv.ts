export type CsvValue = string | number | null

/**
 * Rows as a CSV file after RFC 4180, headers first. Numbers stay numbers and null is an empty cell. It begins with a
 * byte order mark, without which Excel takes UTF-8 for the computer's own code page.
 */
export function toCsv(headers: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return `\uFEFF${[headers, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`).join('')}`
}

function toCell(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = harmless(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// A spreadsheet runs text that begins so as a formula; after an apostrophe it is text. One more apostrophe also goes
// before text that looks as if it had got one, so that taking one away always gives what there was.
function harmless(text: string): string {
  return /^'*[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}

/** What a cell said before it was made harmless. */
export function withoutProtection(text: string): string {
  return /^'+[=+\-@\t\r\n]/.test(text) ? text.slice(1) : text
}
