import { useState } from 'react'

/**
 * Holds the text of a field whose value applies as soon as it is valid. `text` is null while the field shows its value.
 * `parse` returns null for unreadable text, which stays in the field.
 */
export function useTypedText<T>(value: T, parse: (text: string) => T | null, onChange: (value: T) => void) {
  const [typed, setTyped] = useState<{ text: string; over: T } | null>(null)
  // A new value from outside replaces the text typed over the previous value.
  const isCurrent = typed !== null && (typed.over === value || parse(typed.text) === value)
  const text = isCurrent ? typed.text : null
  const isUnreadable = text !== null && parse(text) === null

  return {
    text,
    isUnreadable,
    type: (text: string) => {
      setTyped({ text, over: value })
      const parsed = parse(text)
      if (parsed !== null) onChange(parsed)
    },
    leave: () => {
      if (!isUnreadable) setTyped(null)
    },
  }
}
