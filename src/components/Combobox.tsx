import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

import styles from './Combobox.module.css'
import { placePanel } from './place-panel.ts'

export type Option = { key: string; label: string; note: ReactNode }

type Props = Omit<ComponentProps<'input'>, 'list'> & {
  /** Completions of the text. */
  options: readonly Option[]
  onChoose: (key: string) => void
}

/** A text field with suggestions, for keyboard and thumb. Enter takes a suggestion only after an arrow key has chosen it. */
export function Combobox({ options, onChoose, ...input }: Props) {
  const listId = useId()
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const isShown = isOpen && options.length > 0
  useLayoutEffect(() => {
    const [panel, control] = [list.current, field.current]
    if (!isShown || !panel || !control) return undefined
    panel.style.inlineSize = `${control.offsetWidth}px`
    panel.showPopover()
    return placePanel(panel, control)
  }, [isShown])
  const open = (isOpen: boolean) => {
    setOpen(isOpen)
    setActive(-1)
  }
  const choose = (option: Option) => {
    open(false)
    onChoose(option.key)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const option = options[active]
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!isShown || event.altKey || event.ctrlKey || event.metaKey) return
    // -1 is the field itself.
    if (step) setActive(((active + 1 + step + options.length + 1) % (options.length + 1)) - 1)
    else if (event.key === 'Escape') open(false)
    else if (event.key === 'Enter' && option) choose(option)
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        {...input}
        ref={field}
        type="text"
        aria-autocomplete="list"
        // A plain text field until there is something to choose.
        {...(isShown && {
          role: 'combobox',
          'aria-expanded': true,
          'aria-controls': listId,
          'aria-activedescendant': active >= 0 ? `${listId}-${active}` : undefined,
        })}
        autoComplete="off"
        onChange={(event) => {
          open(event.target.value.trim() !== '')
          input.onChange?.(event)
        }}
        onKeyDown={(event) => {
          onKeyDown(event)
          input.onKeyDown?.(event)
        }}
        onBlur={(event) => {
          open(false)
          input.onBlur?.(event)
        }}
      />
      {isShown && (
        <div
          ref={list}
          id={listId}
          popover="manual"
          role="listbox"
          aria-label="Suggestions"
          className={styles.list}
        >
          {options.map((option, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the focus and the keys
            <div
              key={option.key}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              tabIndex={-1}
              // Keeps the focus in the field.
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
            >
              <span>{option.label}</span>
              <span className="note">{option.note}</span>
            </div>
          ))}
        </div>
      )}
    </>
  )
}
