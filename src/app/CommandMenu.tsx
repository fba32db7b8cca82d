import { Command } from 'cmdk'
import { useAtomValue, useStore } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

import { useReadOnly } from '../components/read-only.ts'
import styles from './CommandMenu.module.css'
import { commandsAtom, filterCommands } from './commands.ts'

export default function CommandMenu({ onClose }: { onClose: () => void }) {
  const store = useStore()
  const commands = useAtomValue(commandsAtom)
  const { disabled: isReadOnly } = useReadOnly()
  const [search, setSearch] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])

  const groups = filterCommands(commands, search)
  return (
    <Command label="Search bikes, log entries and actions" shouldFilter={false} loop vimBindings={false}>
      <Command.Input
        ref={input}
        className={styles.input}
        placeholder="Search bikes, log entries and actions"
        value={search}
        onValueChange={setSearch}
      />
      <Command.List label="Results" className={styles.list}>
        {groups.map(({ heading, commands }) => (
          <Command.Group key={heading} heading={heading} className={styles.group}>
            {commands.map(({ id, label, detail, changesData = false, run }) => (
              <Command.Item
                key={id}
                value={id}
                className={styles.item}
                disabled={changesData && isReadOnly}
                onSelect={() => {
                  // Close first, so focus returns to the page before the command moves it.
                  flushSync(onClose)
                  run(store.set)
                }}
              >
                <span>{label}</span>
                {detail !== undefined && <span className="note">{detail}</span>}
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
      <p role="status" className={`note ${styles.empty}`}>
        {groups.length === 0 && 'Nothing found.'}
      </p>
    </Command>
  )
}
