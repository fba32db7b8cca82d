// Property tests try the same cases in every run, so failures are reproducible. `CASES=2 npm test` tries other cases.
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.CASES ?? 1) })
