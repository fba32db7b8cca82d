import { useAtomValue, useSetAtom } from 'jotai'
import { useId, useRef, useState } from 'react'

import { useAction } from '../../components/use-action.ts'
import { useLostFocus } from '../../components/lost-focus.ts'
import { useReadOnly } from '../../components/read-only.ts'
import { Failure } from '../../components/ResourceView.tsx'
import { useFormats } from '../../lib/formats.ts'
import { NewTokenDialog } from './NewTokenDialog.tsx'
import { describeToken, revokeTokenAtom, type Token, tokensAtom } from './tokens.ts'

/** Lists the tokens of other software, and makes and revokes them. Rows of the settings. */
export function AccessTokens() {
  const tokens = useAtomValue(tokensAtom)
  const reload = useSetAtom(tokensAtom.reloadAtom)
  const readOnly = useReadOnly()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  useLostFocus(tokens.state === 'ready' && tokens.data.length === 0, () => opener.current)
  return (
    <>
      <li className="list-row">
        <p className="row-title">Access tokens</p>
        <p className="note">For Home Assistant, Shortcuts, dashboards and assistants.</p>
        <div className="row-end">
          <button ref={opener} type="button" {...readOnly} onClick={() => setOpen(true)}>
            New token…
          </button>
          {isOpen && <NewTokenDialog onClose={() => setOpen(false)} />}
        </div>
        {tokens.state === 'failed' && (
          <Failure what="The tokens could not be loaded." error={tokens.error} retry={reload} isLine />
        )}
      </li>
      {tokens.state === 'ready' &&
        tokens.data.map((token) => <Row key={token.id} token={token} now={tokens.readAt} />)}
    </>
  )
}

function Row({ token, now }: { token: Token; now: number }) {
  const formats = useFormats()
  const revoke = useSetAtom(revokeTokenAtom)
  const readOnly = useReadOnly()
  const { run, isBusy, problem } = useAction()
  const title = useId()
  return (
    <li className="list-row">
      <p className="row-title" id={title}>
        {token.name}
      </p>
      <p className={token.is_expired ? 'problem' : 'note'}>{describeToken(token, formats, now)}</p>
      <div className="row-end">
        <button
          type="button"
          className="quiet"
          {...readOnly}
          aria-describedby={readOnly['aria-describedby'] ?? title}
          aria-disabled={isBusy}
          onClick={() => run(() => revoke(token))}
        >
          Revoke
        </button>
      </div>
      <p role="alert" className="problem">
        {problem}
      </p>
    </li>
  )
}
