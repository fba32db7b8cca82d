// Runs before the rest of the app has loaded: with a stored session, the main screen's code loads in parallel with it.
try {
  const hasSession = Object.keys(localStorage).some((key) => /^sb-.+-auth-token$/.test(key))
  if (hasSession) void import('./MainScreen.tsx')
} catch {
  // The browser blocks storage.
}
