export interface Abilities {
  isSecure: boolean
  hasPush: boolean
  isApplePhone: boolean
  permission: NotificationPermission | undefined
}

/** Returns why this browser can't get notifications and what to do, or null if it can. */
export function whyUnavailable(abilities: Abilities, vapidKey: string | undefined): string | null {
  const { isSecure, hasPush, isApplePhone, permission } = abilities
  if (!isSecure) {
    return 'Without https, this page can’t show notifications. Open the tracker over https.'
  }
  if (vapidKey === undefined) {
    return 'This tracker has no keys for notifications. Add them as described in docs/deploy.md.'
  }
  if (!hasPush && isApplePhone) {
    return 'On iPhone and iPad, only installed apps get notifications. Choose Share, then Add to Home Screen, and turn them on there.'
  }
  if (!hasPush) return 'This browser doesn’t support notifications.'
  if (permission === 'denied') {
    return 'Notifications from this page are blocked. Allow them in the browser’s settings for this site, then reload this page.'
  }
  return null
}

export function readAbilities(): Abilities {
  const { platform, maxTouchPoints, userAgent } = navigator
  return {
    isSecure: window.isSecureContext,
    hasPush: 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window,
    // iPads identify as Macs.
    isApplePhone: /iPhone|iPad/.test(userAgent) || (platform === 'MacIntel' && maxTouchPoints > 1),
    permission: (window as { Notification?: typeof Notification }).Notification?.permission,
  }
}
