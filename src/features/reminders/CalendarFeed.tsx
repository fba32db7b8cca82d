import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { ActionRow, ListRow } from '../../components/ListRow.tsx'
import { Failure } from '../../components/ResourceView.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { saveFile } from '../../lib/save-file.ts'
import { feedUrl, hasFeed, hasFeedAtom, isOnlyHere, newToken, readFeed, setToken } from './calendar-feed.ts'

const TITLE = 'Calendar feed'

/** Shares likely service dates as a calendar link, or as a file if calendars can't reach the tracker. A row of the settings. */
export function CalendarFeed() {
  const feed = useAtomValue(hasFeedAtom)
  const reload = useSetAtom(hasFeedAtom.reloadAtom)
  if (feed.state !== 'failed')
    return <Feed exists={feed.state === 'ready' && feed.data} isLoading={feed.state === 'loading'} />
  const what = 'The calendar feed could not be loaded.'
  return <ListRow title={TITLE} about={<Failure what={what} error={feed.error} retry={reload} isLine />} />
}

/** While loading, it has the height of a tracker without a link, so nothing below moves. */
function Feed({ exists, isLoading }: { exists: boolean; isLoading: boolean }) {
  const { client, config } = useAtomValue(backendAtom)
  const reload = useSetAtom(hasFeedAtom.reloadAtom)
  const [url, setUrl] = useState<string | null>(null)
  // A download replaces the token, so it would break a link that was created over the home network.
  const isDownload = isOnlyHere(config) && !exists

  const create = async () => {
    const token = newToken()
    await setToken(client, token)
    setUrl(feedUrl(config, token))
    await reload()
  }
  const revoke = async () => {
    await setToken(client, null)
    setUrl(null)
    await reload()
  }
  // The token is only valid during this download.
  const download = async () => {
    if (await hasFeed(client)) return reload()
    const token = newToken()
    await setToken(client, token)
    try {
      saveFile('bike-maintenance.ics', await readFeed(feedUrl(config, token)), 'text/calendar')
    } finally {
      await setToken(client, null)
    }
  }
  const linkActions = [
    ...(exists ? [{ label: 'Revoke link', run: revoke }] : []),
    { id: 'create', label: exists ? 'Renew link' : 'Create link', run: create },
  ]
  return (
    <ActionRow
      title={TITLE}
      about={isDownload ? DOWNLOAD : exists ? HAS_LINK : NO_LINK}
      actions={isDownload ? [{ label: 'Download', run: download }] : linkActions}
      isLoading={isLoading}
    >
      {url !== null && exists && <Address url={url} />}
    </ActionRow>
  )
}

const DOWNLOAD =
  'The likely dates of service tasks, as a file. This tracker only answers on this computer, so calendars can’t subscribe.'
const NO_LINK =
  'A link that shows the likely date of each service task in Google Calendar, Apple Calendar or another calendar.'
const HAS_LINK = 'You have a link, which was only shown when it was created. A new one replaces it.'

function Address({ url }: { url: string }) {
  return (
    <label className="field">
      Link
      <input type="text" readOnly value={url} onFocus={(event) => event.target.select()} />
      <span className="note">
        Copy it now, because it is only shown once. Anyone who has it can see your tasks, bikes and dates.
        Calendars decide how often to check for changes.
      </span>
    </label>
  )
}
