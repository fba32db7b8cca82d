export type CsvValue = string | number | null

/** Formats an RFC 4180 CSV file. Null becomes an empty cell. The byte order mark makes Excel read it as UTF-8. */
export function toCsv(headers: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return `\uFEFF${[headers, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`).join('')}`
}

function toCell(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = escapeFormulas(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// Spreadsheets run text that starts like this as a formula, unless an apostrophe precedes it. Spreadsheets that expect
// semicolons or tabs split at them even within quotes, so text after a delimiter is escaped too. Text that already has an
// apostrophe gets another, so removing one always restores the original.
const FORMULA = /(?<=(?:^|[;\t\r\n])"*)'*[=+\-@]|^'*[\t\r\n]/g
const ESCAPED = /(?<=(?:^|[;\t\r\n])"*)'(?='*[=+\-@])|^'(?='*[\t\r\n])/g

function escapeFormulas(text: string): string {
  return text.replaceAll(FORMULA, "'$&")
}

/** Undoes `escapeFormulas`. */
export function unescapeFormulas(text: string): string {
  return text.replaceAll(ESCAPED, '')
}
