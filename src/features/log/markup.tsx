import { type ComponentProps, createContext, use } from 'react'

import { type Field, FIELD_NAMES, type Item } from '../items/fields.ts'

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
  fields: FIELD_NAMES,
  unstored: undefined,
})

/** A table row or a card. */
export function Entry(props: ComponentProps<'tr'>) {
  const Element = use(MarkupContext).entry as 'tr'
  return <Element data-entry {...props} />
}

type CellProps = ComponentProps<'td'> & { field: string }

/** A table cell or a part of a card. Styles and the arrow keys find it by the field's name. */
export function Cell({ field, colSpan, ...props }: CellProps) {
  const Element = use(MarkupContext).cell as 'td'
  return <Element data-field={field} colSpan={Element === 'td' ? colSpan : undefined} {...props} />
}
