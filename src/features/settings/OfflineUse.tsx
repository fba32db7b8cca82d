import { useEffect, useState } from 'react'

import { ListRow } from '../../components/ListRow.tsx'
import { readOfflineAbilities, whyNotOffline } from './offline-availability.ts'

/** Says why this browser can't work offline. Renders nothing if it can. */
export function OfflineUse() {
  const [reason, setReason] = useState<string | null>(null)
  useEffect(() => void readOfflineAbilities().then((abilities) => setReason(whyNotOffline(abilities))), [])
  return reason === null ? null : <ListRow title="Offline use" about={reason} />
}
