import { useAtomValue } from 'jotai'
import { useState } from 'react'

import { backendAtom } from '../../lib/backend.ts'
import type { Ride } from './api.ts'
import styles from './Thumbnail.module.css'

type Pictured = Pick<Ride, 'id' | 'has_map' | 'highlighted_photo_id'>

/** The map of the ride, and the photo that its rider put first. Never asked for where there is none. */
export function Thumbnail({ ride }: { ride: Pictured }) {
  const { rwgpsUrl } = useAtomValue(backendAtom).config
  return (
    <span className={styles.pictures}>
      <Picture src={ride.has_map ? `${rwgpsUrl}/trips/${ride.id}/thumb.png` : null} />
      {ride.highlighted_photo_id !== null && (
        <Picture src={`${rwgpsUrl}/photos/${ride.highlighted_photo_id}/medium.jpg`} />
      )}
    </span>
  )
}

function Picture({ src }: { src: string | null }) {
  const [failed, setFailed] = useState<string | null>(null)
  if (src === null || failed === src) return <Placeholder />
  return (
    <img
      className={styles.picture}
      src={src}
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
    <svg className={styles.picture} viewBox="0 0 64 44" width="64" height="44" aria-hidden>
      <path d="M12 31c8-1 6-12 14-12s6 8 13 7 5-11 13-12" fill="none" stroke="currentColor" strokeWidth="2" />
      <circle cx="12" cy="31" r="2.5" fill="currentColor" />
      <circle cx="52" cy="14" r="2.5" fill="currentColor" />
    </svg>
  )
}
