import { useAtomValue, useSetAtom } from 'jotai'
import { useRef, useState } from 'react'

import { ActionRow, ListRow } from '../../components/ListRow.tsx'
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
  // The calendar feed has its own row.
  const listed = tokens.state === 'ready' ? tokens.data.filter(({ scope }) => scope !== 'calendar') : []
  useLostFocus(listed.length > 0, () => listed.length === 0 && opener.current)
  return (
    <>
      <ListRow
        title="Access tokens"
        about="For Home Assistant, Shortcuts, dashboards and assistants."
        end={
          <button ref={opener} type="button" {...readOnly} onClick={() => setOpen(true)}>
            New token…
          </button>
        }
      >
        {isOpen && <NewTokenDialog onClose={() => setOpen(false)} />}
        {tokens.state === 'failed' && (
          <Failure what="The tokens could not be loaded." error={tokens.error} retry={reload} isLine />
        )}
      </ListRow>
      {tokens.state === 'ready' &&
        listed.map((token) => <Row key={token.id} token={token} now={tokens.readAt} />)}
    </>
  )
}

function Row({ token, now }: { token: Token; now: number }) {
  const formats = useFormats()
  const revoke = useSetAtom(revokeTokenAtom)
  return (
    <ActionRow
      title={token.name}
      about={<p className={token.is_expired ? 'problem' : 'note'}>{describeToken(token, formats, now)}</p>}
      actions={[{ label: 'Revoke', run: () => revoke(token), isQuiet: true }]}
    />
  )
}
