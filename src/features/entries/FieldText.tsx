import { entryField, isLink } from '../../../supabase/functions/_shared/entry-fields.ts'
import { siteOf } from '../../../supabase/functions/_shared/formats/links.ts'
import type { Field } from './fields.ts'

/** Shows a field's text: of a link, the site's name. */
export function FieldText({ field, text }: { field: Field; text: string }) {
  const site = isLink(entryField(field)) ? siteOf(text) : null
  if (site === null) return text
  return (
    <a href={text} target="_blank" rel="noopener noreferrer" title={text}>
      {site}
    </a>
  )
}
