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
  const text = defuse(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// A spreadsheet runs text that begins like this as a formula; after an apostrophe it's text. A spreadsheet that expects
// semicolons or tabs also splits at those, even within quotes, so what follows one counts as a beginning. Text that looks
// as if it already had the apostrophe gets one more, so removing one always restores the original.
const RISKY = /(?<=(?:^|[;\t\r\n])"*)'*[=+\-@]|^'*[\t\r\n]/g
const DEFUSED = /(?<=(?:^|[;\t\r\n])"*)'(?='*[=+\-@])|^'(?='*[\t\r\n])/g

function defuse(text: string): string {
  return text.replaceAll(RISKY, "'$&")
}

/** The original text of a cell that was defused. */
export function withoutProtection(text: string): string {
  return text.replaceAll(DEFUSED, '')
}
