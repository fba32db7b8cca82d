import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'

import { ActionRow, ListRow } from '../../components/ListRow.tsx'
import { Failure } from '../../components/ResourceView.tsx'
import { backendAtom } from '../../lib/backend.ts'
import { saveFile } from '../../lib/save-file.ts'
import { createToken } from '../../../supabase/functions/_shared/http/tokens.ts'
import { readTokens, revokeToken, saveToken, tokensAtom } from '../access/tokens.ts'
import { feedTokens, feedUrl, isOnlyHere, readFeed } from './calendar-feed.ts'

const TITLE = 'Calendar feed'

/** Shares likely service dates as a calendar link, or as a file if calendars can't reach the tracker. A row of the settings. */
export function CalendarFeed() {
  const tokens = useAtomValue(tokensAtom)
  const reload = useSetAtom(tokensAtom.reloadAtom)
  if (tokens.state !== 'failed') {
    const exists = tokens.state === 'ready' && feedTokens(tokens.data).length > 0
    return <Feed exists={exists} isLoading={tokens.state === 'loading'} />
  }
  const what = 'The calendar feed could not be loaded.'
  return <ListRow title={TITLE} about={<Failure what={what} error={tokens.error} retry={reload} isLine />} />
}

/** While loading, it has the height of a tracker without a link, so nothing below moves. */
function Feed({ exists, isLoading }: { exists: boolean; isLoading: boolean }) {
  const { client, config } = useAtomValue(backendAtom)
  const reload = useSetAtom(tokensAtom.reloadAtom)
  const [url, setUrl] = useState<string | null>(null)
  // A link that was created over the home network still works there.
  const isDownload = isOnlyHere(config) && !exists

  const add = async (days: number | null) => {
    const token = createToken()
    const id = await saveToken(client, { token, name: TITLE, scope: 'calendar', days })
    return { id, url: feedUrl(config, token) }
  }
  const revokeOthers = async (kept?: number) => {
    const links = feedTokens(await readTokens(client)).filter(({ id }) => id !== kept)
    for (const { id } of links) await revokeToken(client, id)
    await reload()
  }
  const create = async () => {
    const link = await add(null)
    setUrl(link.url)
    await revokeOthers(link.id)
  }
  const revoke = async () => {
    await revokeOthers()
    setUrl(null)
  }
  // The token is only valid during this download, and expires if the page closes.
  const download = async () => {
    const link = await add(1)
    try {
      saveFile('bike-maintenance.ics', await readFeed(link.url), 'text/calendar')
    } finally {
      await revokeToken(client, link.id)
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
  'The likely dates of service tasks, as a file. Calendars can’t subscribe here: this address only works on this computer.'
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
