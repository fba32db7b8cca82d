import type { PartKind, Position } from '../kinds.ts'

/**
 * Model lines and codes that name a part without its noun, for names in lower case without accents, with single spaces instead
 * of other separators. The first match wins.
 */
export const MODEL_LINES: readonly (readonly [PartKind, RegExp, Position?])[] = [
  // Makers' codes.
  [
    'chain',
    /\bcn ?(hg|m|r|e|u|lg|nx|uhg)?\d{2,4}\b|\bpc ?\d{3,4}\b|\bflat ?top\b|\bconnex \d+s|\bybn sla\b|\bx1?\d(sl|el|ept|r|e|93|99|101)?\b(?=.*\b(hollow|ept)\b)/,
  ],
  ['chain', /\bkmc\b.*\b(x|e|z|s|k|b)\d{1,3}|\bx(8|9|10|11|12) ?(sl|el|ept)\b|\btanke x\d+/],
  ['cassette', /\bcs ?(r|m|hg|rx|lg|u)?\d{3,4}\b|\b(xg|xs|pg) ?\d{3,4}\b|\bhg\d{3}\b(?=.* \d{2})/],
  [
    'bottom bracket',
    /\bsm bb|\bbb ?[a-z]{0,3}\d|\bbb ?(30|86|90|92|386)\b|\bt47\b|\bbsa\b|\bpf ?(30|86|92)\b|\bbbright\b|\bpress ?fit\b|\bthreadfit\b/,
  ],
  [
    'brake pads',
    /\b[bdgjkln]\d{2}[acst]\b|\b(disc|disco) (34|35)\b|\bexotherm|\bkool stop (salmon|black|dual)|\b(resin|sintered|organic|metal|metallic) pad/,
  ],
  ['rotor', /\brt ?(cl|mt|em|r|xt)?\d{2,3}\b|\bhs2\b|\bpaceline\b|\bcenterline\b/],
  ['derailleur', /\brd ?[a-z]{0,2}\d{3,4}\b/, 'rear'],
  ['derailleur', /\bfd ?[a-z]{0,2}\d{3,4}\b/, 'front'],
  ['shifters', /\b(st|sl) ?(r|m|rx|rs|u)\d{3,4}\b/],
  ['crankset', /\bfc ?[a-z]{0,2}\d{3,4}\b/],
  [
    'brake',
    /\bbr ?[a-z]{0,2}\d{3,4}\b|\bbb[57]\b|\bhs(11|22|33)\b|\bmt ?[2-7] ?magura|\bmagura mt|\bspyre\b|\bjuicy \d/,
  ],
  [
    'pedals',
    /\bpd ?[a-z]{0,3}\d{3,4}\b|\bspd\b|\bspd sl\b|\bassioma|\bkeo\b|\bspeedplay\b|\bx ?track\b|\b(egg ?beater|candy|mallet|stamp)\b|\btime (link|atac|xpro)|\bmks\b|\bpowertap p\d|\bvector 3|\brally (rs|xc|rk)/,
  ],
  // Tires.
  ['tire', /\bkryptotal (f|fr|front)\b/, 'front'],
  ['tire', /\bkryptotal (r|re|rear)\b/, 'rear'],
  [
    'tire',
    /\bg ?p ?(4|5) ?000|\bgrand (prix|sport)\b|\bgator ?skin|\bultra sport\b|\bterra (speed|trail|hardpack)|\brace king\b|\bcross king\b|\bmountain king\b|\bspeed ?king\b|\bargotal\b|\bkryptotal\b|\bcontact (plus|urban|travel|speed)/,
  ],
  [
    'tire',
    /\bpro (one|1|5)\b|\bschwalbe (one|x one|pro 1)|\b(durano|lugano|marathon|kojak|big (ben|apple)|smart sam|g one|x one|rapid rob|road cruiser)\b|\b(magic mary|hans dampf|nobby nic|racing (ralph|ray)|rocket ron|thunder burt|wicked will|big betty|albert)\b/,
  ],
  [
    'tire',
    /\bp ?zero\b|\bcinturato\b|\bpirelli scorpion|\b(corsa|rubino|zaffiro|terreno|mezcal|barzo|randonneur|peyote|syerra|mazza|martello|graphene 2 0)\b|\bpower (cup|road|all season|gravel|competition)\b|\b(dynamic sport|lithion|wild (am|xc|enduro))\b|\bmichelin\b.*\b(mud|pro\d)/,
  ],
  [
    'tire',
    /\bminion\b|\bdhf\b|\bdhr\b|\b(assegai|dissector|aggressor|rekons?|ikon|ardent|aspen|forekaster|high roller|rambler|receptor|ravager|shorty (3c|exo|wide)|refuse|re fuse)\b/,
  ],
  [
    'tire',
    /\bgravel ?king|\bpanaracer|\bpasela\b|\bren[e]? herse\b|\bcompass (tires|barlow|bon jon)|\bhurricane ridge\b|\bteravail\b|\bdonnelly\b|\bclement x plor|\bwtb (riddler|raddler|resolute|byway|horizon|venture|nano|ranger|trail boss|vigilante|wolverine|thickslick|expanse|vulpine|exposure)/,
  ],
  [
    'tire',
    /\bpathfinder\b|\b(fast trak|ground control|armadillo|roubaix pro|turbo (cotton|rapidair|pro)|all condition|s works mondo|tracer|trigger pro|butcher|eliminator|purgatory)\b|\bhutchinson (overide|touareg|fusion|sector|challenger|blackbird|caracal)|\b(touareg|overide)\b|\bgoodyear\b|\bvredestein\b|\bfortezza\b|\btufo\b|\bkenda\b|\bvee (kappa|tire|rubber)|\birc\b|\bchallenge (gravel|strada|paris)/,
  ],
  ['tire', /\b(tubeless ready|tlr|tle|exo)\b(?=.*\d)/],
  ['tube', /\btubolito\b|\baerothan\b|\bridenow\b|\brevoloop\b|\bpirelli smartube|\btpu\b/],
  // Contact points.
  [
    'bar tape',
    /\blizard skins (dsp )?\d|\bdsp \d|\bsupacaz\b|\bsuper sticky kush\b|\bsuper ?cork\b|\b(gel ?)?kork\b|\bsmoo ?tape\b|\bsmart tape\b|\bvento (microtex|solocush)|\brace ?ribbon\b|\b(cork|gel|cambium) (tape|wrap)|\btape\b/,
  ],
  [
    'saddle',
    /\bbrooks\b|\bcambium c\d|\bb17\b|\bc1[3579]\b|\b(antares|arione|aliante|argo|tempo argo|vento argo|terra argo)\b|\bselle (italia|royal|san marco|smp)|\b(slr|flite|novus) (boost|superflow|tm)|\bsqlab 6|\bergon (sr|sm|st|smc)\b|\b(romin|toupe|phenom|power (expert|comp|pro|arc|mirror)|body geometry)\b|\bprologo\b|\bscratch m5|\bwtb (volt|silverado|pure|koda|devo|rocket|laser|lasser|speed|sl8)|\bmontrose\b|\bbontrager (arvada|verse|aeolus (elite|comp|pro) saddle|p3)\b/,
  ],
  ['grips', /\bergon g[a-z]*\d|\besi (chunky|racer)|\bodi\b|\brogue\b.*\bodi/],
  // Suspension, steering and wheels.
  [
    'fork',
    /\brock ?sho(x|ck)\b.*\b(sid|reba|recon|pike|lyrik|zeb|revelation|yari|judy|boxxer|35|rudy|domain|totem|argyle)\b|\bfox\b.*\b(3[24468]|40|34|float 3\d)\b|\bmanitou\b|\b(lauf|fox ax|suntour (xcm|xcr|nex|raidon|epixon|sr))\b/,
  ],
  ['shock', /\b(dhx|float (x|x2|dps|rp23)|super deluxe|monarch|deluxe select|vivid)\b/],
  ['headset', /\bcane creek (40|110|10|hellbender)\b|\bnothreadset\b|\b(zs|ec|is)\d{2}\b|\borbit xl\b/],
  ['stem', /\bthomson (elite )?x[24]\b|\barx pro\b/],
  [
    'seatpost',
    /\breverb\b|\bfox transfer\b|\boneup v\d|\bbike ?yoke\b|\bd fuse\b|\bcane creek (thudbuster|eesilk)|\bredshift shockstop seat/,
  ],
  [
    'handlebar',
    /\bservice course (sl )?(70|80)\b|\bcowchipper\b|\bcowbell\b|\bcompact\b(?=.*\b(adventure|agx|handlebar)\b)|\badventure compact\b|\bventure ?max\b|\bsl 70 ergo\b|\bmoustache\b|\bnitto noodle\b/,
  ],
  [
    'wheel',
    /\b(aeolus|paradigm|line (pro|elite|comp))\b(?=.*\d)|\b(shamal|bora|zonda|scirocco|khamsin|eurus|neutron)\b|\bdt swiss (arc|grc|xrc|prc|erc|gr|ar|pr|er|xr|xm|ex|hx|r|p|e|g|cr|m)[ c]?\d{4}|\bdicut\b|\bspline (29|27)|\bses \d|\bfulcrum\b|\bhunt\b|\b(cosmic|ksyrium|aksium|crossmax|crossride|allroad sl|cosmos|open pro ust wheel)\b|\breserve \d|\broval\b|\b(ultegra|dura ace|105) c(36|50|60)\b|\bwh ?[a-z]{0,3}\d{3,4}\b|\bzipp (202|302|303|353|404|454|808|858)\b|\bnewmen (evolution|advanced sl [rax])|\bcadex (36|42|50|65)\b|\bhed (belgium|ardennes|jet)\b|\belitewheels\b|\breynolds (atr|ar|blacklabel)/,
  ],
]

/** A tire's width and diameter, such as 700x28c, 29x2.4 or 37-622. */
export const TIRE_SIZE =
  /\b(700|650|29|28|27[.,]5|26|24|20|16) ?[x×] ?\d{1,2}([.,]\d+)?(c|b|mm)?\b|\b\d{2}[- ]?(622|584|571|559|507|451|406|349|305|650)\b/

/** A cassette's smallest and largest number of teeth, such as 11-34. It could be a day, so it only counts beside `GEARS`. */
export const COG_RANGE = /\b(9|1[0-6]) ?[-–x/] ?(2[1-9]|3\d|4\d|5[0-2])t?\b/
export const GEARS =
  /\b(9|1[0-6]) ?[-–x/] ?(2[1-9]|3\d|4\d|5[0-2])t\b|\b(shimano|sram|campagnolo|sunrace|microshift|ekar|ultegra|dura ace|105|tiagra|sora|deore|slx|xtr?|grx|rival|force|eagle|garbaruk)\b|\b\d{1,2} ?(s|fach|speed|v)\b/
