import { type ReactNode, useId, useState } from 'react'

import { useReadOnly } from './read-only.ts'
import { useAction } from './use-action.ts'

type Props = {
  title: ReactNode
  titleId?: string
  /** A note, or other content. */
  about?: ReactNode
  /** The controls at the end. */
  end?: ReactNode
  children?: ReactNode
}

/** A row of a list: what it is about, and its controls. */
export function ListRow({ title, titleId, about, end, children }: Props) {
  return (
    <li className="list-row">
      <p id={titleId} className="row-title">
        {title}
      </p>
      {typeof about === 'string' ? <p className="note">{about}</p> : about}
      {end !== undefined && <div className="row-end">{end}</div>}
      {children}
    </li>
  )
}

type Action = {
  /** Needed if the label changes, so the button keeps the focus. */
  id?: string
  label: string
  run: () => Promise<void> | void
  isQuiet?: boolean
}

type ActionRowProps = Omit<Props, 'titleId' | 'end'> & {
  actions: readonly Action[]
  isLoading?: boolean
}

/** A row whose actions run one at a time. Shows why the last one failed. */
export function ActionRow({ actions, isLoading = false, children, ...row }: ActionRowProps) {
  const titleId = useId()
  const readOnly = useReadOnly()
  const { run, isBusy, problem } = useAction()
  const [started, setStarted] = useState('')
  const start = async ({ label, run }: Action) => {
    setStarted(label)
    await run()
  }
  const buttons = actions.map((action) => (
    <button
      key={action.id ?? action.label}
      type="button"
      className={action.isQuiet ? 'quiet' : undefined}
      {...readOnly}
      aria-describedby={readOnly['aria-describedby'] ?? titleId}
      aria-busy={isBusy && action.label === started}
      aria-disabled={isBusy || isLoading}
      onClick={() => isLoading || run(() => start(action))}
    >
      {action.label}
    </button>
  ))
  return (
    <ListRow {...row} titleId={titleId} end={buttons}>
      {children}
      <p role="alert" className="problem">
        {problem}
      </p>
    </ListRow>
  )
}
