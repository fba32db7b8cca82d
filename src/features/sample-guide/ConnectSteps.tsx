import { useSetAtom } from 'jotai'
import { useState } from 'react'

import { announceAtom } from '../../components/announcements.tsx'
import { notifyFailure } from '../../components/toasts.tsx'
import styles from './SampleGuide.module.css'

const LINES = `RWGPS_API_KEY=your-api-key
RWGPS_EMAIL=you@example.com
RWGPS_PASSWORD='your-password'`

/** How to see one's own bikes and rides instead of the sample. */
export function ConnectSteps() {
  return (
    <ol>
      <li>Get an API key at ridewithgps.com: account settings, “Developers”.</li>
      <li>
        Write these lines into <code>supabase/functions/.env</code>, with what is yours:
        <div className={styles.lines}>
          <pre>
            <code>{LINES}</code>
          </pre>
          <CopyButton text={LINES} />
        </div>
      </li>
      <li>
        Stop the tracker with Ctrl-C and run <code>npm start</code> again: it prints a password of your own,
        once. Should something be amiss, <code>npm run doctor</code> says what.
      </li>
    </ol>
  )
}

function CopyButton({ text }: { text: string }) {
  const announce = useSetAtom(announceAtom)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      announce('The lines were copied.')
    } catch {
      notifyFailure('The lines could not be copied: select them, and copy them by hand.')
    }
  }
  return (
    <button type="button" aria-label="Copy the lines" onClick={() => void copy()}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  )
}
