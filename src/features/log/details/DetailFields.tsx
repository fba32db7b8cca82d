import { entryField, isLink } from '../../../../supabase/functions/_shared/entry-fields.ts'
import { DETAIL_NAMES, type Item } from '../../entries/fields.ts'
import { FieldText } from '../../entries/FieldText.tsx'
import { ItemField } from '../../editors/ItemField.tsx'

/** Shows and edits the fields that have no column in the table. */
export function DetailFields({ item }: { item: Item }) {
  return DETAIL_NAMES.map((field) => (
    <section key={field} aria-label={entryField(field).label}>
      <ItemField as="div" item={item} field={field} />
      {isLink(entryField(field)) && item[field] !== null && (
        <FieldText field={field} text={String(item[field])} />
      )}
    </section>
  ))
}
