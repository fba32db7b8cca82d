/** Receives the gear_id of each bike whose log another of the owner's tabs has just written. */
export const otherTabs = openChannel()

export function tellOtherTabs(gearId: number): void {
  // The rule mistakes the channel for a window; a channel is limited to its origin anyway.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  otherTabs.postMessage(gearId)
}

type Channel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>

function openChannel(): Channel {
  try {
    return new BroadcastChannel('maintenance-log')
  } catch {
    // Firefox refuses a channel when site data is blocked.
    return Object.assign(new EventTarget(), { postMessage: () => undefined })
  }
}
