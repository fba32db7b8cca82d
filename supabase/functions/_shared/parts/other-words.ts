export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl'] as const

export type Language = (typeof LANGUAGES)[number]

/** Words without case and accents. After "@": the end that it means if the name mentions none. */
export type Words = Record<Language, string>

/** Words that make a name something else than the kind it mentions: accessories, small parts, what has no kind. */
export const OTHER_WORDS: Words = {
  en: `adapter, adapters, axle, axles, bag, bags, bar end, bar ends, battery, bearing, bearings, bell, bike fit, bikefit, bolt, bolts, boot, bottle cage, breaker, cable, cables,
  catcher, clamp, collar, computer, cover, derailleur hanger, drivetrain, fender, fenders, fluid, freehub, gauge, guard, guide, hanger, hose, housing, hub,
  hubs, insert, inserts, keeper, kickstand, brake lever, brake levers, lever, levers, light, lights, liner, liners, link, links, lock, lockring, lube,
  magnet, master link, missing link, mount, mudguard, mudguards, nipple, nipples, nut, nuts, oil, patch, pin, pins, plug, plugs, pouch, proofide,
  frame protection, protector, pump, quick link, quicklink, quick links, quicklinks, rack, reflector, reflectors, rim, rims, rim tape, rimtape, saddle pad, gel saddle pad, sealant, sensor,
  skewer, skewers, spacer, spacers, spoke, spokes, stand, stay, strap, straps, tensioner, toeclips, toestraps, tool, torch, training wheels, tug, tugs,
  valve, valves, valve stem, valve stems, washer, washers, wax, whip, wrench`,
  de: `bremshebel, bremsleitung, bremszug, dichtmilch, dichtungsmasse, felge, felgen, felgenband, freilauf, gepacktrager, halterung, kabel, kettenfuhrung,
  kettenol, kettenschloss, kettenwachs, lenkeraufsatz, nabe, naben, satteltasche, schaltauge, schaltzug, schutzblech, schutzbleche, speiche, speichen,
  tasche, ventil, ventile, werkzeug, zug, zuge`,
  fr: `attache rapide, antivol, bequille, cable, cables, eclairage, gaine, gaines, garde boue, huile, jante, jantes, levier de frein, moyeu, moyeux,
  fond de jante, patte de derailleur, pompe, porte bagages, porte bidon, preventif, rayon, rayons, sac, sacoche, valve, valves`,
  es: `abrazadera, aceite, bolsa, buje, bujes, cable, cables, cierre, cinta de llanta, cinta, eje, funda, fundas, guardabarros, liquido, llanta, llantas, luz, maza,
  mazas, palanca, palancas, patilla, portabultos, protector, radio, radios, sellante, soporte, valvula, valvulas`,
  it: `borsa, cavi, cavo, cerchi, cerchio, collarino, forcellino, guaina, guaine, lattice, leva del freno, luce, mozzi, mozzo, nastro, nastro cerchio, olio,
  parafango, portaborraccia, raggi, raggio, sigillante, supporto, valvola, valvole, borsa sottosella`,
  nl: `achtervork, bagagedrager, bel, derailleurhanger, kabel, kabels, kettingkast, kettingpons, lekke band, licht, naaf, olie, pomp, remhendel, remkabel,
  remvloeistof, slot, spaak, spaken, spatbord, spatborden, tas, velg, velgen, velglint, ventiel, ventielen, versnellingskabel`,
}

/** Words of work, which is done on a part and is none. */
export const WORK_WORDS = `adjusted, adjustment, bleed, bleeding, check, checked, clean, cleaned, cleaning, lubed, oiled, patched, rebuild, rebuilt, repair,
  repaired, service, serviced, trued, truing, tune, tuned, wash, washed, wartung, gereinigt, geolt, gewachst, geschmiert, zentriert, reinigen, schmieren,
  nettoyage, entretien, revision, reglage, limpieza, engrase, ajuste, pulizia, tagliando, lubrificazione, manutenzione, onderhoud, schoonmaken, gesmeerd,
  smeren, nakijken`

/** Words for parts that are on no bike. */
export const STORED_WORDS =
  'spare, spares, garage, basement, shelf, storage, ersatz, keller, repuesto, scorta'

/** Brands and lines that contain another part's word. */
export const BRAND_WORDS =
  'wheels manufacturing, chain reaction, white industries, stans notubes, stan s notubes, kool stop, selle italia, selle royal, selle san marco, crank brothers, crankbrothers, chris king, service course, lock on, tubeless'

export const FRONT_WORDS = /^(front|vorne?|vorder\w*|vr|avant|delanter[ao]s?|anterior[ei]|voor\w*)$/
export const REAR_WORDS = /^(rear|back|hinten|hinter\w*|hr|arriere|traser[ao]s?|posterior[ei]|achter\w*)$/
/** "AV" and "AR" only count beside a French word. */
export const FRENCH_FRONT = 'av'
export const FRENCH_REAR = 'ar'
export const BOTH_WORDS = /^(both|pair|beide[ns]?|paar|paire|deux|ambos|ambas|par|coppia|stel)$/
