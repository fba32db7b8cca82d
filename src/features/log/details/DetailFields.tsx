import { entryField, isLink } from '../../../../supabase/functions/_shared/entry-fields.ts'
import { DETAIL_NAMES, type Item } from '../data/fields.ts'
import { FieldText } from '../data/FieldText.tsx'
import { FieldCell } from '../table/ItemEntry.tsx'
import { MarkupContext } from '../table/markup.tsx'

const MARKUP = { entry: 'fieldset', cell: 'div', fields: DETAIL_NAMES, unstored: undefined } as const

/** Shows and edits the fields that have no column in the table. */
export function DetailFields({ item }: { item: Item }) {
  return (
    <MarkupContext value={MARKUP}>
      {DETAIL_NAMES.map((field) => (
        <section key={field} aria-label={entryField(field).label}>
          <FieldCell item={item} field={field} />
          {isLink(entryField(field)) && item[field] !== null && (
            <FieldText field={field} text={String(item[field])} />
          )}
        </section>
      ))}
    </MarkupContext>
  )
}
