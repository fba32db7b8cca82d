import { useState } from 'react'

/** Holds typed text, applied as soon as `parse` accepts it. `text` is null while the field shows `value`. */
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
