import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useEffect, useState } from 'react'

import { lazyDialog } from '../../components/lazy-screen.tsx'
import { ActionRow, ListRow } from '../../components/ListRow.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { addressAtom } from '../../lib/address.ts'
import { backendAtom } from '../../lib/backend.ts'
import { readAll, type Resource } from '../../lib/resource.ts'
import { exportStatusAtom } from '../export/atoms.ts'
import { useExports } from '../export/Export.tsx'
import { chooseImportFile } from '../import/ImportFile.tsx'
import { saveTemplateAtom } from '../import/template.ts'
import { BrowserNotifications } from '../reminders/BrowserNotifications.tsx'
import { CalendarFeed } from '../reminders/CalendarFeed.tsx'
import { Channels } from '../reminders/Channels.tsx'
import { channelsAtom } from '../reminders/channels.ts'
import { choosingPasswordAtom, emailAtom } from '../session/atoms.ts'
import { AccessTokens } from '../access/AccessTokens.tsx'
import { tokensAtom } from '../access/tokens.ts'
import type { Account } from '../sync/api.ts'
import { accountAtom, syncsAtom } from '../sync/atoms.ts'
import LastSync from '../sync/LastSync.tsx'
import { reconnectText } from '../sync/status.ts'
import { Display } from './Display.tsx'
import { OfflineUse } from './OfflineUse.tsx'
import styles from './Settings.module.css'

const SecondFactorDialog = lazyDialog(() => import('../session/SecondFactorDialog.tsx'))

export const readFirstAtom = readAll(accountAtom, syncsAtom, tokensAtom, channelsAtom)

export default function Settings() {
  const email = useAtomValue(emailAtom)
  const section = useAtomValue(addressAtom)['section']
  useEffect(() => {
    if (section !== undefined) document.getElementById(headingId(section))?.focus()
  }, [section])

  return (
    <section className={styles.settings} aria-labelledby="settings-heading">
      <title>Settings · RWGPS Maintenance Tracker</title>
      <div className="ends">
        <h2 id="settings-heading" className="title">
          Settings
        </h2>
        <p className="soft truncated">{email}</p>
      </div>
      <div className={styles.columns}>
        <div className={styles.groups}>
          <RideWithGpsGroup />
          <Group name="Display" lead="On all your devices, in the calendar feed and in notifications.">
            <Display />
          </Group>
          <Access />
        </div>
        <div className={styles.groups}>
          <Group name="Notifications" lead="When a service task becomes due after a sync.">
            <ul className="list">
              <BrowserNotifications />
              <Channels />
              <CalendarFeed />
            </ul>
          </Group>
          <Data />
        </div>
      </div>
    </section>
  )
}

const headingId = (section: string) => `settings-${section}`

type GroupProps = { name: string; lead?: string; actions?: ReactNode; children?: ReactNode }

function Group({ name, lead, actions, children }: GroupProps) {
  const id = headingId(name.toLowerCase().replaceAll(' ', '-'))
  return (
    <section className={styles.group} aria-labelledby={id}>
      <div className={styles.head}>
        <h3 id={id} className="heading" tabIndex={-1}>
          {name}
        </h3>
        {actions}
        {lead !== undefined && <p className="note">{lead}</p>}
      </div>
      {children}
    </section>
  )
}

/** Says whose rides these are, when they were synced, and how to use those of another account. */
function RideWithGpsGroup() {
  const account = useAtomValue(accountAtom)
  const { config } = useAtomValue(backendAtom)
  return (
    <Group name="Ride with GPS" lead={`To reconnect: ${reconnectText(config)}`}>
      <ul className="list">
        <ListRow
          title={<AccountTitle account={account} />}
          about={<LastSync />}
          end={<span className="note">{`Version ${import.meta.env['VITE_VERSION']}`}</span>}
        />
      </ul>
    </Group>
  )
}

function AccountTitle({ account }: { account: Resource<Account | null> }) {
  if (account.state === 'loading') return <Skeleton width="10rem" height="1lh" />
  if (account.state === 'failed') return 'The account could not be loaded.'
  return account.data === null ? 'Not synced yet' : <AccountName {...account.data} />
}

/** A sync by an older version didn't store the name. */
function AccountName({ id, name }: Account) {
  const account = `Account ${id}`
  if (name === null) return account
  return (
    <>
      {name} <span className="note">{account}</span>
    </>
  )
}

function Access() {
  const { secondFactor } = useAtomValue(backendAtom).config
  const choosePassword = useSetAtom(choosingPasswordAtom)
  const [isOpen, setOpen] = useState(false)
  return (
    <Group name="Access">
      <ul className="list">
        <ActionRow
          title="Password"
          about="Changing it signs out all other devices."
          actions={[{ label: 'Change password', run: () => choosePassword(true) }]}
        />
        {secondFactor && (
          <ActionRow
            title="Authenticator app"
            about="Asks for its code each time you sign in."
            actions={[{ label: 'Two-factor authentication', run: () => setOpen(true) }]}
          />
        )}
        <AccessTokens />
      </ul>
      {isOpen && <SecondFactorDialog onClose={() => setOpen(false)} />}
    </Group>
  )
}

function Data() {
  const exports = useExports(null)
  const isBusy = useAtomValue(exportStatusAtom) !== null
  const saveTemplate = useSetAtom(saveTemplateAtom)
  return (
    <Group name="Data">
      <ul className="list">
        {exports.map(({ label, purpose, run }) => (
          <ListRow
            key={label}
            title={label}
            about={purpose}
            end={
              <button
                type="button"
                aria-label={`Export ${label}`}
                aria-busy={isBusy}
                onClick={() => void run()}
              >
                Export
              </button>
            }
          />
        ))}
        <ActionRow
          title="Log from a CSV file"
          about="Also sheets of other trackers. Shows a preview before it adds or changes anything."
          actions={[
            { label: 'Template', run: saveTemplate },
            { label: 'Import', run: chooseImportFile },
          ]}
        />
        <OfflineUse />
      </ul>
    </Group>
  )
}
