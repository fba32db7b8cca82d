// Property tests try the same cases in every run, so failures repeat. `CASES=2 npm test` tries others.
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.CASES ?? 1) })
