import { useState } from 'react'

/**
 * Holds typed text. Applies it as soon as `parse` accepts it and `isFinal` says that it can't be the start of another
 * value, else when the owner leaves the field. `text` is null while the field shows `value`.
 */
export function useTypedText<T>(
  value: T,
  parse: (text: string) => T | null,
  onChange: (value: T) => void,
  isFinal: (text: string) => boolean = () => true,
) {
  const [typed, setTyped] = useState<{ text: string; over: T } | null>(null)
  // A new value from outside replaces the text typed over the previous value.
  const isCurrent = typed !== null && (typed.over === value || parse(typed.text) === value)
  const text = isCurrent ? typed.text : null
  const parsed = text === null ? null : parse(text)
  const isUnreadable = text !== null && parsed === null

  return {
    text,
    isUnreadable,
    type: (text: string) => {
      setTyped({ text, over: value })
      const next = parse(text)
      if (next !== null && isFinal(text)) onChange(next)
    },
    leave: () => {
      if (text === null || isUnreadable) return
      if (parsed !== null && parsed !== value) onChange(parsed)
      setTyped(null)
    },
  }
}
