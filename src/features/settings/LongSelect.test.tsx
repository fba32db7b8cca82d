// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'

import { LongSelect } from './LongSelect.tsx'

afterEach(cleanup)

const SIZES = ['S', 'M', 'L']

function renderSelect() {
  render(
    <LongSelect value="M" onChange={() => undefined} chosen={<option>M</option>}>
      {() => SIZES.map((size) => <option key={size}>{size}</option>)}
    </LongSelect>,
  )
  const select = screen.getByRole<HTMLSelectElement>('combobox')
  const shown = () => [select.value, ...Array.from(select.options, ({ value }) => value)]
  expect(shown()).toEqual(['M', 'M'])
  return { select, shown }
}

test.each(['keyboard', 'pointer'])('has all options as soon as it is used with the %s', async (device) => {
  const { select, shown } = renderSelect()
  await (device === 'keyboard'
    ? userEvent.tab()
    : userEvent.pointer({ keys: '[MouseLeft>]', target: select }))
  expect(shown()).toEqual(['M', ...SIZES])
})

test('has all options once the page is idle', async () => {
  const { shown } = renderSelect()
  await vi.waitFor(() => expect(shown()).toEqual(['M', ...SIZES]))
})
