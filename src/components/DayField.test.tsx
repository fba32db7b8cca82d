// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'

import type { Day } from '../lib/days.ts'
import { DayField } from './DayField.tsx'
import { DateField } from './fields.tsx'

vi.mock('./Calendar.tsx', () => ({ default: () => null }))

function open() {
  const days: Day[] = []
  function Field() {
    const [day, setDay] = useState<Day>('2026-01-31')
    const change = (next: Day) => {
      days.push(next)
      setDay(next)
    }
    return <DayField label="From" value={day} onChange={change} picked={null} calendarAt={day} />
  }
  render(<Field />)
  return { days, field: screen.getByLabelText<HTMLInputElement>('From'), user: userEvent.setup() }
}

test('a date that is typed in full applies once, without leaving the field', async () => {
  const { days, field, user } = open()
  await user.clear(field)
  await user.type(field, '11/22/2025')
  expect(days).toEqual(['2025-11-22'])
  expect(field.value).toBe('11/22/2025')
})

test.each(['11/2/25', '2025-11-2'])('%s applies on Enter or when the field is left', async (text) => {
  const { days, field, user } = open()
  await user.clear(field)
  await user.type(field, text)
  expect(days).toEqual([])
  await user.keyboard('{Enter}')
  expect(days).toEqual(['2025-11-02'])
  expect(field.value).toBe('11/02/2025')
  await user.clear(field)
  await user.type(field, '3/1/25')
  await user.tab()
  expect(days).toEqual(['2025-11-02', '2025-03-01'])
  expect(field.value).toBe('03/01/2025')
})

test('text that is no date stays, with a message that names the format', async () => {
  const { days, field, user } = open()
  await user.clear(field)
  await user.type(field, '02/31/')
  await user.tab()
  expect([days, field.value]).toEqual([[], '02/31/'])
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Enter a date as MM/DD/YYYY.')).toBeTruthy()
})

function Form() {
  const [text, setText] = useState('')
  return <DateField label="Day" value={text} onChange={setText} />
}

test('a form writes a short date out when the field is left, before it is saved', async () => {
  render(<Form />)
  const field = screen.getByLabelText<HTMLInputElement>('Day')
  const user = userEvent.setup()
  for (const [text, shown] of [
    ['3/1/25', '03/01/2025'],
    ['3/1/2025', '3/1/2025'],
    ['2/30', '2/30'],
  ] as const) {
    await user.clear(field)
    await user.type(field, text)
    expect(field.value).toBe(text)
    await user.tab()
    expect(field.value).toBe(shown)
  }
})
