import { useAtomValue, useSetAtom } from 'jotai'
import { useId, useState } from 'react'

import { Dialog } from '../../../components/Dialog.tsx'
import { ResourceView } from '../../../components/ResourceView.tsx'
import { Skeleton } from '../../../components/Skeleton.tsx'
import { backendAtom } from '../../../lib/backend.ts'
import { formatCount, quote, useFormats } from '../../../lib/formats.ts'
import { bikeNameAtom } from '../../bikes/atoms.ts'
import { type Changes, changesAtomOf, moreRidesAtom, type PartChange, type RideChange } from './api.ts'
import styles from './WhatChanged.module.css'
import {
  type Context,
  countsOf,
  dayOfRide,
  deltaOf,
  differencesOf,
  kindOf,
  reasonOf,
  summaryOf,
} from '../../../../supabase/functions/_shared/messages/ride-change-messages.ts'

export default function WhatChanged({ onClose }: { onClose: () => void }) {
  const { name } = useFormats()
  return (
    <Dialog
      title="What changed"
      lead={`Rides that syncs added, changed or removed in the last year, and the parts whose ${name.toLowerCase()} changed as a result.`}
      onClose={onClose}
    >
      <Sync />
    </Dialog>
  )
}

function Sync({ id }: { id?: number }) {
  const [atom] = useState(() => changesAtomOf(id))
  const changes = useAtomValue(atom)
  const reload = useSetAtom(atom.reloadAtom)
  const [showsOlder, setShowsOlder] = useState(false)
  return (
    <ResourceView
      resource={changes}
      failed="The changes could not be loaded."
      retry={reload}
      loading={<Skeleton width="100%" height="8rem" />}
    >
      {({ sync, older, ...rest }) =>
        sync === null ? (
          <p>Nothing has changed since the first sync, which is not listed here.</p>
        ) : (
          <>
            <SyncChanges key={sync.id} changes={{ sync, older, ...rest }} sync={sync} />
            {older !== null && !showsOlder && (
              <button type="button" className={styles.older} onClick={() => setShowsOlder(true)}>
                Show earlier changes
              </button>
            )}
            {older !== null && showsOlder && <Sync id={older} />}
          </>
        )
      }
    </ResourceView>
  )
}

type SyncProps = { changes: Changes; sync: NonNullable<Changes['sync']> }

function SyncChanges({ changes, sync }: SyncProps) {
  const id = useId()
  const bikeName = useAtomValue(bikeNameAtom)
  const context: Context = {
    formats: useFormats(),
    bikeName: (gearId) => (gearId === null ? 'No bike' : bikeName(gearId)),
  }
  return (
    <section className={styles.sync} aria-labelledby={id}>
      <h3 id={id}>{context.formats.dateTime(new Date(sync.started_at))}</h3>
      <p className="soft">
        {countsOf(sync)}
        {sync.outcome !== 'ok' && '. This sync failed after it stored these changes.'}
      </p>
      <Rides changes={changes} sync={sync} context={context} />
      {changes.parts.length > 0 && <Parts changes={changes} context={context} />}
    </section>
  )
}

function Rides({ changes, sync, context }: SyncProps & { context: Context }) {
  const readMore = useSetAtom(moreRidesAtom)
  const [more, setMore] = useState<RideChange[]>([])
  const [isLoading, setLoading] = useState(false)
  const rides = [...changes.rides, ...more]
  const total = sync.added + sync.changed + sync.removed
  const showMore = async () => {
    if (isLoading) return
    setLoading(true)
    const next = await readMore(sync.id, rides.length)
    if (next !== null) setMore([...more, ...next])
    setLoading(false)
  }
  return (
    <>
      <ul className="card list" aria-label="Rides">
        {rides.map((ride) => (
          <Ride key={ride.ride_id} ride={ride} context={context} />
        ))}
      </ul>
      {rides.length < total && (
        <button type="button" aria-busy={isLoading} onClick={() => void showMore()}>
          {`Show more rides (${formatCount(total - rides.length)})`}
        </button>
      )}
    </>
  )
}

function Ride({ ride, context }: { ride: RideChange; context: Context }) {
  const { rwgpsUrl } = useAtomValue(backendAtom).config
  const { before, after } = ride
  const facts = after ?? before
  if (facts === null) return null
  const kind = kindOf(ride)
  const name = <bdi>{facts.name || 'Ride without a name'}</bdi>
  return (
    <li className="list-row">
      <p className={styles.name}>
        <span className="tiny" data-kind={kind}>
          {kind}
        </span>{' '}
        {after === null ? (
          name
        ) : (
          <a href={`${rwgpsUrl}/trips/${ride.ride_id}`} target="_blank" rel="noreferrer">
            {name}
          </a>
        )}
      </p>
      <span className="row-end soft">{dayOfRide(facts, context)}</span>
      {before !== null && after !== null ? (
        <ul className={`soft ${styles.fields}`}>
          {differencesOf(before, after, context).map((difference) => (
            <li key={difference.label}>
              {`${difference.label}: `}
              <bdi className="truncated">{difference.before}</bdi> →{' '}
              <bdi className="truncated">{difference.after}</bdi>
            </li>
          ))}
        </ul>
      ) : (
        <span className={`soft ${styles.fields}`}>{summaryOf(facts, context)}</span>
      )}
    </li>
  )
}

const INITIAL_PARTS = 5

function Parts({ changes: { parts, part_count }, context }: { changes: Changes; context: Context }) {
  const [showsAll, setShowsAll] = useState(false)
  const bikes = [...Map.groupBy(parts, ({ gear_id }) => gear_id)]
  return (
    <div className={styles.parts}>
      <h4>Parts</h4>
      {bikes.map(([bike, ofBike]) => (
        <ul key={bike} aria-label={`Parts of ${context.bikeName(bike)}`} data-bike={context.bikeName(bike)}>
          {(showsAll ? ofBike : ofBike.slice(0, INITIAL_PARTS)).map((part) => (
            <Part key={part.part_id} part={part} context={context} />
          ))}
        </ul>
      ))}
      {!showsAll && bikes.some(([, ofBike]) => ofBike.length > INITIAL_PARTS) && (
        <button type="button" onClick={() => setShowsAll(true)}>
          {`Show all parts (${formatCount(part_count)})`}
        </button>
      )}
      {showsAll && part_count > parts.length && (
        <p className="soft">{`And ${formatCount(part_count - parts.length)} parts with smaller changes`}</p>
      )}
    </div>
  )
}

function Part({ part, context }: { part: PartChange; context: Context }) {
  const name = (part.ride.after ?? part.ride.before)?.name
  return (
    <li className={styles.part}>
      <bdi>{part.name}</bdi>{' '}
      <strong data-sign={Math.sign(part.distance || part.moving_time)}>{deltaOf(part, context)}</strong>
      {': '}
      <span className="soft">
        <bdi>{name ? quote(name) : 'A ride'}</bdi>
        {` ${reasonOf(part, context)}`}
      </span>
    </li>
  )
}
