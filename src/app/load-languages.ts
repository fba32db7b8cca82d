// Engines read the data of languages and time zones when `Intl` is first used, once for all threads. That takes as long as
// evaluating the app, so a worker does it while the app's files arrive.
new Intl.NumberFormat('en-US').format(0)
new Intl.DateTimeFormat('en-US').format(0)
close()
