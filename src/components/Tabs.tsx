import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

import { useLostFocus } from './lost-focus.ts'
import styles from './Tabs.module.css'

type Tab<Id extends string> = { id: Id; label: string }
type Props<Id extends string> = {
  label: string
  tabs: readonly Tab<Id>[]
  selected: Id
  onSelect: (id: Id) => void
  tools?: ReactNode
  children: ReactNode
}

/** Tabs following the ARIA pattern: one tab stop; arrow keys, Home and End select. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect, tools, children }: Props<Id>) {
  const base = useId()
  const list = useRef<HTMLDivElement>(null)
  const tabId = (id: Id) => `${base}-${id}`

  // A link in a panel may open another tab, which removes the focused link.
  useLostFocus(selected, () => list.current?.querySelector<HTMLElement>('[aria-selected=true]'))

  const choose = (event: KeyboardEvent) => {
    const index = targetOf(
      event.key,
      tabs.findIndex((tab) => tab.id === selected),
      tabs.length,
    )
    const tab = tabs[index]
    if (!tab) return
    event.preventDefault()
    onSelect(tab.id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus()
  }

  return (
    <div className={styles.tabs}>
      <div className={styles.bar}>
        <div
          ref={list}
          role="tablist"
          aria-label={label}
          className={styles.list}
          onKeyDown={choose}
          tabIndex={-1}
        >
          {tabs.map(({ id, label: name }) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={tabId(id)}
              className={styles.tab}
              aria-selected={id === selected}
              aria-controls={id === selected ? `${base}-panel` : undefined}
              tabIndex={id === selected ? 0 : -1}
              onClick={() => onSelect(id)}
            >
              {name}
            </button>
          ))}
        </div>
        {tools && <div className={styles.tools}>{tools}</div>}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={tabId(selected)}>
        {children}
      </div>
    </div>
  )
}

function targetOf(key: string, current: number, count: number): number {
  const targets: Record<string, number> = {
    ArrowRight: (current + 1) % count,
    ArrowLeft: (current - 1 + count) % count,
    Home: 0,
    End: count - 1,
  }
  return targets[key] ?? -1
}
