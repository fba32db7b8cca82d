import { type ComponentProps, createContext, type HTMLAttributes, use } from 'react'

import { COLUMN_COUNT, COLUMN_NAMES, type Field, type Item } from '../data/fields.ts'

export type EntriesProps = {
  bikeId: number
  items: readonly Item[]
  /** The filtered items in the chosen order. */
  shown: readonly Item[]
  /** The number of items to render. */
  limit: number
  isUpdating: boolean
}

type Markup = {
  entry: 'tr' | 'fieldset'
  cell: 'td' | 'div'
  /** The editors' order. */
  fields: readonly Field[]
  /** The class of an entry that isn't stored yet. */
  unstored: string | undefined
}

/** What entries and their cells are made of: table rows, or cards. */
export const MarkupContext = createContext<Markup>({
  entry: 'tr',
  cell: 'td',
  fields: COLUMN_NAMES,
  unstored: undefined,
})

/** A table row or a card. */
export function Entry(props: ComponentProps<'tr'>) {
  const Element = use(MarkupContext).entry as 'tr'
  return <Element data-entry {...props} />
}

/** A table row with one cell, or a block on a card. */
export function WideRow({ children, ...props }: HTMLAttributes<HTMLElement>) {
  if (use(MarkupContext).entry !== 'tr') return <div {...props}>{children}</div>
  return (
    <tr {...props}>
      <td colSpan={COLUMN_COUNT}>{children}</td>
    </tr>
  )
}

/** The id of the text that names an entry. The entry's controls refer to it, because many rows repeat their labels. */
export const nameId = ({ id }: Pick<Item, 'id'>) => `name-${id}`

/** The id of the name of the entry around a cell. */
export const NameIdContext = createContext<string | undefined>(undefined)

type CellProps = ComponentProps<'td'> & { field: string }

/** A table cell or a part of a card. Styles and the arrow keys find it by the field's name. */
export function Cell({ field, colSpan, ...props }: CellProps) {
  const { cell } = use(MarkupContext)
  const nameId = use(NameIdContext)
  if (cell === 'td' && field === 'name' && nameId !== undefined)
    return <th scope="row" aria-labelledby={nameId} data-field={field} {...props} />
  const Element = cell as 'td'
  return <Element data-field={field} colSpan={cell === 'td' ? colSpan : undefined} {...props} />
}
