/** Explicit table roles, because browsers drop the built-in ones when CSS changes an element's `display`. */
export const ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  cell: { role: 'cell' },
  header: { role: 'columnheader' },
  rowHeader: { role: 'rowheader' },
} as const
