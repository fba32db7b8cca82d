import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { LINKS, NOT_LINKS } from '../../../tests/links.ts'
import type { Field } from './fields.ts'
import { FieldText } from './FieldText.tsx'

const shown = (field: Field, text: string) => renderToStaticMarkup(<FieldText field={field} text={text} />)

test('shows a link as the name of its site, which opens in a new tab', () => {
  expect(shown('link', 'https://www.shop.example/chain?id=7')).toBe(
    '<a href="https://www.shop.example/chain?id=7" target="_blank" rel="noopener noreferrer" title="https://www.shop.example/chain?id=7">shop.example</a>',
  )
  for (const link of LINKS) expect(shown('link', link)).toContain('<a ')
})

test.each([...NOT_LINKS, 'https://['])('shows %j as text', (text) => {
  expect(shown('link', text)).not.toContain('<a')
})

test('shows other texts unchanged', () => {
  expect(shown('description', 'https://shop.example')).toBe('https://shop.example')
})
