import { atom, useAtomValue } from 'jotai'

import { waitingAtom } from '../lib/waiting.ts'
import { targetsOf } from '../lib/waiting-rows.ts'
import styles from './Waits.module.css'

const targetsAtom = atom((get) => new Set(get(waitingAtom).flatMap(targetsOf)))

type Props = {
  relation: 'maintenance' | 'service_tasks' | 'service_events' | 'wear_measurements'
  id: number
}

/** Marks a row with changes that wait for the network. */
export function Waits({ relation, id }: Props) {
  const isWaiting = useAtomValue(targetsAtom).has(`${relation}/${id}`)
  return isWaiting && <span className={styles.waits}>Waiting</span>
}
