import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'

import { ActionDialog, useAction } from '../../components/ActionDialog.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { saveFile } from '../../lib/save-file.ts'
import { feedUrl, hasFeed, isOnlyHere, newToken, readFeed, setToken } from './calendar-feed.ts'

/** Shares likely service dates as a calendar link, or as a file if calendars can't reach the tracker. */
export default function CalendarDialog({ onClose }: { onClose: () => void }) {
  const { client, config } = useAtomValue(backendAtom)
  const action = useAction()
  const { fail } = action
  /** Null until known. */
  const [exists, setExists] = useState<boolean | null>(null)

  useEffect(() => {
    hasFeed(client).then(setExists, fail)
  }, [client, fail])

  // A download replaces the token, so it would break a link that was created over the home network.
  const Content = isOnlyHere(config) && exists !== true ? Download : Link
  return <Content {...{ exists, setExists, action, onClose }} />
}

interface Props {
  exists: boolean | null
  setExists: (exists: boolean) => void
  action: ReturnType<typeof useAction>
  onClose: () => void
}

function Download({ exists, setExists, action: { run, problem, isBusy }, onClose }: Props) {
  const { client, config } = useAtomValue(backendAtom)
  // The token is only valid during this download.
  const download = async () => {
    if (await hasFeed(client)) return setExists(true)
    const token = newToken()
    await setToken(client, token)
    try {
      saveFile('bike-maintenance.ics', await readFeed(feedUrl(config, token)), 'text/calendar')
    } finally {
      await setToken(client, null)
    }
  }
  return (
    <ActionDialog
      title="Calendar feed"
      problem={problem}
      isBusy={isBusy}
      onClose={onClose}
      actions={
        exists !== null && (
          <button type="button" className="primary" aria-disabled={isBusy} onClick={() => run(download)}>
            Download
          </button>
        )
      }
    >
      <p>
        Download a file with an event on the likely date of each service task, and import it into your
        calendar. Importing a newer file later moves the events you already have.
      </p>
      <p className="note">
        This tracker only answers on this computer, so other calendars can’t subscribe to it. On hosted
        Supabase or your home network, you get a link that stays up to date.
      </p>
    </ActionDialog>
  )
}

function Link({ exists, setExists, action: { run, problem, isBusy }, onClose }: Props) {
  const { client, config } = useAtomValue(backendAtom)
  const [url, setUrl] = useState<string | null>(null)

  const create = async () => {
    const token = newToken()
    setExists(await setToken(client, token))
    setUrl(feedUrl(config, token))
  }
  const revoke = async () => {
    setExists(await setToken(client, null))
    setUrl(null)
  }
  return (
    <ActionDialog
      title="Calendar feed"
      problem={problem}
      isBusy={isBusy}
      onClose={onClose}
      actions={
        exists !== null && (
          <>
            {exists && (
              <button type="button" aria-disabled={isBusy} onClick={() => run(revoke)}>
                Revoke link
              </button>
            )}
            <button type="button" className="primary" aria-disabled={isBusy} onClick={() => run(create)}>
              {exists ? 'Renew link' : 'Create link'}
            </button>
          </>
        )
      }
    >
      <p>
        Subscribe to this link in Google Calendar, Apple Calendar or another calendar, to see an event on the
        likely date of each service task.
      </p>
      {url !== null && <Address url={url} />}
      {url === null && exists === true && (
        <p>You already have a link, which was only shown when it was created. A new one replaces it.</p>
      )}
      <p className="note">
        Calendars decide how often to check for changes. Google Calendar checks a few times a day at most.
      </p>
    </ActionDialog>
  )
}

function Address({ url }: { url: string }) {
  return (
    <label className="field">
      Link
      <input type="text" readOnly value={url} onFocus={(event) => event.target.select()} />
      <span className="note">
        Copy it now, because it is only shown once. Anyone who has it can see your tasks, bikes and dates.
      </span>
    </label>
  )
}
