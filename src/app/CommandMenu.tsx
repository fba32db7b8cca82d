import { Command } from 'cmdk'
import { useAtomValue, useStore } from 'jotai'
import type { ComponentProps } from 'react'
import { flushSync } from 'react-dom'

import { useReadOnly } from '../components/read-only.ts'
import styles from './CommandMenu.module.css'
import { commandsAtom, filterCommands } from './commands.ts'

type Props = {
  field: ComponentProps<'input'> & { placeholder: string; value: string }
  onSearch: (search: string) => void
  onClose: () => void
}

export default function CommandMenu({ field, onSearch, onClose }: Props) {
  const store = useStore()
  const commands = useAtomValue(commandsAtom)
  const { disabled: isReadOnly } = useReadOnly()
  const groups = filterCommands(commands, field.value)
  return (
    <Command label={field.placeholder} shouldFilter={false} loop vimBindings={false}>
      <Command.Input {...field} onValueChange={onSearch} />
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
