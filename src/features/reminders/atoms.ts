import { backendAtom } from '../../lib/backend.ts'
import { resourceAtom } from '../../lib/resource.ts'
import { KEYS } from '../../lib/resource-keys.ts'
import { hasFeed } from './calendar-feed.ts'
import { isOn } from './push.ts'

/** Whether the calendar feed has a link. */
export const hasFeedAtom = resourceAtom(KEYS.calendarFeed, (get) => hasFeed(get(backendAtom).client))

/** Whether this browser gets notifications. */
export const isPushOnAtom = resourceAtom(KEYS.push, (get) => {
  const { client, config } = get(backendAtom)
  return isOn(client, config.vapidPublicKey ?? '')
})
