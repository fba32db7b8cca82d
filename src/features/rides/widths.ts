type Sized = { id: string; getSize: () => number }

/** On a phone the pinned names leave room for what scrolls beside them. */
const WIDEST_NAME = '42vw'

/** The CSS width of a column. */
export function columnWidth(column: Sized): string {
  const width = `${column.getSize()}px`
  return column.id === 'name' ? `min(${width}, ${WIDEST_NAME})` : width
}

/** The CSS width of all columns together. */
export function tableWidth(columns: readonly Sized[]): string {
  return `calc(${columns.map(columnWidth).join(' + ')})`
}
