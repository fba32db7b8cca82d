import { use, useState } from 'react'

import { useWaited } from '../../components/use-waited.ts'
import { dayOf } from '../../lib/days.ts'
import { formatCount, type Formats, MISSING } from '../../lib/formats.ts'
import type { Ride } from './api.ts'
import styles from './cells.module.css'
import { RowStopContext } from './row-keys.ts'

type RideLinkProps = { ride: Pick<Ride, 'id' | 'name'>; rwgpsUrl: string; className: string | undefined }

export function RideLink({ ride, rwgpsUrl, className }: RideLinkProps) {
  const isStop = use(RowStopContext)
  return (
    <a
      tabIndex={isStop ? 0 : -1}
      className={className}
      dir="auto"
      href={`${rwgpsUrl}/trips/${ride.id}`}
      target="_blank"
      rel="noopener"
      title={ride.name ?? undefined}
    >
      {ride.name?.trim() ? ride.name : `Ride ${ride.id}`}
    </a>
  )
}

type RideNameProps = { ride: Ride; rwgpsUrl: string; formats: Formats }

export function RideName({ ride, rwgpsUrl, formats }: RideNameProps) {
  return (
    <>
      <RideLink ride={ride} rwgpsUrl={rwgpsUrl} className={styles.name} />
      <span
        className={styles.details}
      >{`${formatRideDay(ride, formats)} · ${formats.distance.format(ride.distance)}`}</span>
    </>
  )
}

export function formatRideDay({ started_at }: Pick<Ride, 'started_at'>, formats: Formats): string {
  return started_at === null ? MISSING : formats.day(dayOf(started_at))
}

type Watts = Pick<Ride, 'avg_watts' | 'max_watts'>

/** Returns whether Ride with GPS estimated the average power. Rides without a power meter have no maximum. */
export function isEstimate({ avg_watts, max_watts }: Watts): boolean {
  return avg_watts !== null && max_watts === null
}

export function AverageWatts({ ride }: { ride: Watts }) {
  if (!isEstimate(ride)) return formatCount(ride.avg_watts)
  return (
    <span className={styles.estimate} title="Estimated by Ride with GPS: this ride has no power meter data">
      {formatCount(ride.avg_watts)}
      <small aria-hidden> est.</small>
      <span className="visually-hidden"> estimated</span>
    </span>
  )
}

type ThumbnailProps = { ride: Pick<Ride, 'id' | 'has_map' | 'highlighted_photo_id'>; rwgpsUrl: string }

/** Shows a ride's map and its photo. With `isSmall`, only the photo or, without one, the map. */
export function Thumbnail({ ride, rwgpsUrl, isSmall = false }: ThumbnailProps & { isSmall?: boolean }) {
  const photo = ride.highlighted_photo_id
  return (
    <span className={styles.images}>
      {!(isSmall && photo !== null) && (
        <Image src={ride.has_map ? `${rwgpsUrl}/trips/${ride.id}/thumb.png` : null} />
      )}
      {photo !== null && <Image src={`${rwgpsUrl}/photos/${photo}/medium.jpg`} />}
    </span>
  )
}

/** Requesting an image costs more than the rest of its row, so rows that scroll past in less time request none. */
const IMAGE_DELAY_MS = 200

function Image({ src }: { src: string | null }) {
  const [failed, setFailed] = useState<string | null>(null)
  const hasWaited = useWaited(IMAGE_DELAY_MS)
  if (src === null || failed === src) return <Placeholder />
  return (
    <img
      className={styles.image}
      src={hasWaited ? src : undefined}
      alt=""
      width="64"
      height="44"
      loading="lazy"
      decoding="async"
      onError={() => setFailed(src)}
    />
  )
}

function Placeholder() {
  return (
    <svg className={styles.image} viewBox="0 0 64 44" width="64" height="44" aria-hidden>
      <path d="M12 31c8-1 6-12 14-12s6 8 13 7 5-11 13-12" fill="none" stroke="currentColor" strokeWidth="2" />
      <circle cx="12" cy="31" r="2.5" fill="currentColor" />
      <circle cx="52" cy="14" r="2.5" fill="currentColor" />
    </svg>
  )
}
