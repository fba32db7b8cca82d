/** Browsers drop the roles of table elements whose display is changed, so these tables state them. */
export const ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  cell: { role: 'cell' },
  header: { role: 'columnheader' },
  rowHeader: { role: 'rowheader' },
} as const
