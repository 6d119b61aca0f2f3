"""Point 5, comparison by comparison: what it finds and names, and what only looks like it."""

from __future__ import annotations

import time
from datetime import date

import pytest
from cg_review.document import Document
from cg_review.findings import RawFinding
from cg_review.parse import parse
from cg_review.reviewers import Found
from cg_review.reviewers.embedded import EmbeddedReviewer
from cg_review.reviewers.embedded.analysis import Reading
from cg_review.reviewers.embedded.quantities import find_quantities
from cg_review.reviewers.embedded.shares import shares
from pasting import review

TODAY = date(2026, 11, 30)
REVIEWER = EmbeddedReviewer()


def found(text: str) -> tuple[Document, tuple[RawFinding, ...]]:
    document = parse(text)
    result = REVIEWER.ask(5, document, TODAY)
    assert isinstance(result, Found)
    return document, result.findings


def table(*rows: str) -> str:
    header, *body = rows
    rule = "|" + "---|" * (header.count("|") - 1)
    return "\n".join((header, rule, *body)) + "\n\n"


PLAN = table(
    "| | Planned | Actual |", "| Seats | 40 | 36 |", "| Surplus | 900 | 700 |", "| Costs, € | 5,200 | 5,900 |"
)
STATES = table(
    "| Task | State |", "| Roof | done |", "| Door | done 4 May |", "| Well | open |", "| Path | dropped |"
)
TRAMS = table("| | 2025 | 2026 |", "| Tram | 310 | 280 |", "| Ferry | 90 | 120 |")
CLASSES = table("| Class | Places |", "| Knots | 12 |", "| Tides | 9 |", "| Charts | 7 |")
TWO_YEARS = table(
    "| | First, £ | Second, £ |",
    "| Wood | 1,200 | 1,300 |",
    "| Rent | 2,000 | 2,100 |",
    "| Total | 3,200 | 3,400 |",
)
PURSE = table("| | € |", "| Fees | 4,100 |", "| Rope | 2,950 |", "| Carried forward | 1,150 |")
SHEET = table("| Property | Value |", "| Storage of door logs | 40 days |", "| Lockers in a full row | 24 |")
BAKERY = table("| Loaf | May | June |", "| Rye | 400 | 500 |", "| Oat | 300 | 240 |", "| Total | 700 | 740 |")
QUOTES = table(
    "| Firm | Price | Weeks |", "| Adler | €8,400 | 6 |", "| Bussard | €7,900 | 9 |", "| Falke | €9,000 | 4 |"
)
YEARS = table(
    "| | 2025 | 2026 |", "| Members | 320 | 280 |", "| Revenue | 5,000 | 6,000 |", "| Surplus | 500 | 900 |"
)

CONFLICTS = [
    ("the opposite in a summary", "# Well\n\n## Summary\n\nThe report advises excluding the old pump from the lease.\n\n## Lease\n\nWe advise including the old pump in the lease.", ("excluding", "including the old pump")),
    ("a denial in a summary", "# Well\n\n## In brief\n\nThe lease has no deposit for the garden shed.\n\n## Lease\n\nA deposit for the garden shed is part of the lease.", ('"no"', "A deposit for the garden shed")),
    ("a name in a summary", "# Well\n\n## Abstract\n\nThe water of the lower village comes from Harrow.\n\n## Source\n\nSince May the water of the lower village comes from Selby.", ("Harrow", "Selby")),
    ("change of a row", YEARS + "Members fell by 25% over the year.", ("25%", "12.5")),
    ("change of a row, in words", BAKERY + "Rye sold a third more than in May, so we bake it daily.", ("a third", "25")),
    ("change between rows", QUOTES + "Bussard is 30% cheaper than Falke.", ("30%", "12.22")),
    ("difference of rows", QUOTES + "Falke costs €900 more than Adler.", ("€900", "600")),
    ("share of the total", BAKERY + "In both months rye made up 80% of the total.", ("80%", "57.14")),
    ("bound on a share", BAKERY + "Oat stays below a quarter of the total.", ("a quarter", "42.86")),
    ("a rate with a name", YEARS + "The margin of 2026 came to 22%.", ("22%", "15")),
    ("superlative with a unit", QUOTES + "Adler is the cheapest.", ("cheapest", "€7,900", "€8,400")),
    ("superlative with a column", QUOTES + "Bussard needs the fewest weeks.", ("fewest", "4", "9")),
    ("a leader by the totals", table("| | Kite | Wren |", "| Fit | 3 | 4 |", "| Cost | 2 | 3 |", "| Sum | 5 | 7 |") + "Kite comes out ahead.", ("5", "7")),
    ("a direction", YEARS + "Members went up in the second year.", ("went up", "320", "280")),
    ("a factor", table("| | Old | New |", "| Rows | 20 | 50 |") + "Rows have tripled since then, they say; we saw rows tripled.", ("tripled", "2.5")),
    ("a mean", table("| Day | Calls |", "| Mon | 30 |", "| Tue | 40 |", "| Wed | 50 |") + "We take 52 calls a day on average.", ("52", "40")),
    ("every row", table("| Lane | Share |", "| A | 91% |", "| B | 96% |", "| C | 88% |") + "All lanes are above 90%.", ("90%", "88%", "C")),
    ("no row", table("| Lane | Share |", "| A | 91% |", "| B | 96% |", "| C | 88% |") + "No lane is above 95%.", ("95%", "96%", "B")),
    ("a range", table("| Box | Slots |", "| A | 12 |", "| B | 30 |", "| C | 44 |") + "A box has between 10 and 40 slots.", ("40", "44")),
    ("a total beside a table", "## Trip\n\n" + table("| Item | Cost |", "| Bus | €120 |", "| Hut | €310 |") + "In all the trip came to €450.", ("€450", "430")),
    ("a count beside an amount", table("| Offer | Boats | Price (€k) |", "| A | 4 | 96 |", "| B | 7 | 150 |") + "We took the offer of €150k for eight boats.", ("eight boats", "7")),
    ("a unit price", table("| Goods | Price |", "| Candle | £2.40 |", "| Soap | £3.10 |") + "The stall asks £2.90 per candle.", ("£2.90", "2.4")),
    ("a share of what the sentence before names", "We sorted 60 notes: 20 concern the noise, 15 the light, 14 the heat and 11 the food. Noise thus makes up more than half.", ("half", "20")),
    ("a lower bound", "The shop sold 900 tickets, of which 610 online. So more than three in four came from the web.", ("three in four", "610")),
    ("seven in ten", "We hired 300 cooks. Of these, 150 stayed. So we keep seven in ten.", ("seven in ten", "150")),
    ("a conclusion a paragraph later", "- Ours: 45 of 900 wheels in spring.\n- That's under four per cent.", ("four per cent", "45, 900")),
    ("a change of what was told", "Complaints: 38 in May, after 44 in April.\n\nThe rain kept most people in.\n\nSo complaints fell by half.", ("half", "38", "44")),
    ("a change of two sentences", "The club stood at 240 members in March. A year earlier it was 200. That means we grew by half.", ("half", "240", "200")),
    ("a change told in another section", "In June there were 63 leaks, after 84 in the first quarter.\n\n## In brief\n\nLeaks fell by half.", ("half", "63", "84")),
    ("points", "Of the two, one is at 82% and the other at 61%. They are thus less than ten points apart.", ("ten points", "21")),
    ("a share in other words", "- 8,000 rides, of which 900 were night rides\n- 14 lost gloves\n\n## In words\n\nNight rides are now every third ride.", ("every third", "11%")),
    ("a budget in a table", PLAN + "The project stayed within its budget.", ("within its budget", "5,200", "5,900")),
    ("a budget in a sentence", "The budget was £4,000 and we spent £4,300. In other words, we stayed below budget.", ("4,000", "4,300")),
    ("better than planned", PLAN + "The surplus is better than planned.", ("better than planned", "900", "700")),
    ("all as promised", table("| Promised | Done |", "| 6 benches | 5 benches |", "| 90 trees | 95 trees |") + "Everything was delivered as promised.", ("as promised", "6 benches")),
    ("both", TRAMS + "Both went up.", ("went up", "Tram")),
    ("statuses", STATES + "Three of the four tasks are done.", ("Three of the four".lower(), "2")),
    ("a sum behind a table", CLASSES + "That makes 35 places.", ("35", "28")),
    ("two years together", TWO_YEARS + "Together the two years come to £6,900.", ("£6,900", "6,600")),
    ("a rest", CLASSES.replace("Places", "Price").replace("12", "€1,200").replace("9 ", "€900 ").replace("7 ", "€700 ") + "With the €800 we have, that leaves €1,500 to find.", ("€1,500", "2,000")),
    ("what is left", PURSE + "There is thus about two thousand in the cash box.", ("two thousand", "1,150")),
    ("a change behind a table", TRAMS + "Tram rides are therefore down by half.", ("half", "10%")),
    ("a part behind a table", table("| Item | € |", "| Oven | 3,000 |", "| Roof | 1,000 |", "| Total | 4,000 |") + "The oven thus takes up less than half of the sum.", ("half", "75%")),
    ("all of another number", "There are six of us in the office: four clerks and two cooks. All seven are on call.", ("all seven",)),
    ("all of what was split", "Of the nine boats, five sailed, three stayed in and one was sold. All nine were on the water.", ("all nine", "5")),
    ("a span of the sentence before", "The ferry stood still between 9:10 and 10:40. Nobody could cross for almost four hours.", ("four hours", "90")),
    ("a line of a sheet", SHEET + "Door logs go out of storage 25 days on.", ("25 days", "40 days")),
    ("an amount a head", "The lake has 400 boats.\n\n## Rubbish\n\nThe barge took away 20 tonnes. That is 80 kg per boat.", ("80 kg per boat", "20 tonnes", "400")),
    ("so many of so many in other words", "The clerk accepted 610 of the 900 tickets.\n\nIt was tried in May: 610 of the 900 tickets were accepted at once.\n\n## In brief\n\nNine tickets in ten were accepted at once.", ("68%",)),
    ("a labelled number", "- Paying boats: 212\n- Free boats: 9\n\n## Later\n\nAll 231 boats sail.", ("212", "231")),
    ("whole first", "Forty chairs: 22 in the hall, 10 in the loft and 5 at the joiner's.", ("Forty chairs", "37")),
    ("whole last", "The tills took £410 on Friday, £530 on Saturday and £290 on Sunday, together £1,320.", ("£1,320", "1,230")),
    ("parts of these", "We asked 90 guests. Of these, 52 liked the soup and 47 the stew.", ("99", "90")),
    ("an equation", "That makes 6 × 12 = 84 jars.", ("72",)),
    ("a list with an and inside an item", "Two firms sent offers: Brandt, Oyelaran and Sons, Pivot, and Tallis.", ("4 named",)),
    ("a product", "Five stewards for 6 hours each at £12 come to £400.", ("£400",)),
    ("a conclusion", "The choir has 40 singers, 10 of them men. That makes half of them men.", ("half", "40, 10")),
    ("a net", "We planted 130 trees and lost 18. That is a net gain of 102.", ("102", "130, 18")),
    ("yearly prices", "A month is free by the year.\n\nThe pass costs €20 a month. One month is free: it is €200 a year.", ("€200", "11")),
    ("a list under its title", "We offer five courses.\n\n## Courses\n\n- Knots\n- Charts\n- Tides\n- Weather", ("five courses", "4")),
    ("numbered headings", "The plan has four phases.\n\n## Phase 1: dig\n\nA.\n\n## Phase 2: build\n\nB.\n\n## Phase 3: paint\n\nC.", ("four phases", "3")),
    ("all of them", "The shed holds 24 bikes. All 28 of them are insured.", ("28", "24")),
    ("of us", "There are six of us in the office. All seven of us cycle.", ("seven", "six")),
    ("votes", "Present: A. Moor, B. Fenn, C. Heath.\n\nThe motion was carried, 3 for, 1 against.", ("4 votes", "3 present")),
    ("a bound", "Sixty farms are members.\n\nMore than eighty farms buy through us.", ("eighty farms", "Sixty farms")),
    ("a setting", "Drafts expire after 14 days.\n\nThe server deletes drafts that are 21 days old.", ("21 days", "14 days")),
    ("a rate per time", "A client may send 20 messages per second.\n\nThe limit is 50 messages per second for a client.", ("50", "20")),
    ("hours", "The café opens at 8:00 on weekdays.\n\nThe café opens at 8:30 on weekdays.", ("8:30", "8:00")),
    ("a number nobody has", "Rooms are on floors 1 to 4, lockers are numbered from 1 to 30.\n\nYours is locker 36.", ("locker 36", "1 to 30")),
    ("a version", "Needs Ubuntu 22 or newer.\n\nIt runs on Ubuntu 20 as well.", ("Ubuntu 20", "Ubuntu 22")),
    ("a code", "The housing is rated IP44.\n\nAll housings of the series have IP54.", ("ip44", "ip54")),
    ("a summary", "## Summary\n\nWe interviewed 42 nurses.\n\n## Method\n\nIn spring we interviewed 24 nurses.", ("42",)),
    ("a column made of others", table("| Test | Passed | Run | Rate |", "| A | 45 | 50 | 90% |", "| B | 30 | 40 | 85% |"), ("85%", "B")),
    ("a column of products", table("| Ware | Each | Sold | Sum |", "| A | 2 | 30 | 60 |", "| B | 3 | 20 | 60 |", "| C | 4 | 25 | 120 |"), ("120", "C")),
    ("a weighted total", table("| | Weight | Kite |", "| Fit | 40% | 8 |", "| Cost | 60% | 5 |", "| Weighted total | | 6.9 |"), ("6.9", "6.2")),
    ("a mean aside", "The marks were 7, 8 and 6, a mean of 7.6.", ("7.6", "7")),
    ("a drop aside", "We had 10 faults on Mill Lane and 7 on Quay Street, a drop of 40%.", ("40", "30")),
    ("a span of time", "The lift stood from 10:15 to 11:05, 70 minutes in all.", ("70 minutes", "50")),
    ("a multiple of two ends", "The harvest doubled from 120 kg to 200 kg.", ("120 kg", "1.7")),
    ("a multiple of a thing's two ends", "Output has tripled, from 100 to 200 boxes a day.", ("100", "200")),
    ("a multiple and its figures", "Complaints had halved: 22 in the summer, 14 since.", ("22", "14")),
    ("an excess", "The roof cost £41,200 against a budget of £38,000, which is 12% over.", ("12%", "8%")),
    ("a saving", "We paid €450 instead of €600, that is 30% less.", ("30%", "25%")),
    ("a change of two columns", table("| Region | Old | New | Change |", "| North | 10.00 | 11.00 | 10% |", "| South | 12.00 | 12.60 | 5% |", "| East | 14.00 | 15.40 | 12% |"), ("12%", "East")),
    ("named in a row", "The four gates are Oak, Elm, Ash, Yew and Fir.", ("four", "5")),
    ("an absolute", "Photos never leave the camera.\n\nThe camera sends photos to the editor.", ("never leave", "sends photos")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "named"), [c[1:] for c in CONFLICTS], ids=[c[0] for c in CONFLICTS])
def test_a_conflict_is_found_and_its_reason_names_both_values(text: str, named: tuple[str, ...]) -> None:
    _, findings = found(text)
    assert findings
    assert any(all(value in finding.reason for value in named) for finding in findings), [
        f.reason for f in findings
    ]


LOOK_ALIKES = {
    "a summary that denies less": "# Well\n\n## Summary\n\nThe lease has no deposit for the garden shed.\n\n## Lease\n\nThe lease asks for a deposit for the flat.",
    "a case in a summary": "# Well\n\n## Summary\n\nIf the lease has no deposit for the garden shed, ask for one.\n\n## Lease\n\nA deposit for the garden shed is part of the lease.",
    "a name the summary adds": "# Well\n\n## Summary\n\nThe study was paid by Harrow.\n\n## Source\n\nThe water of the lower village comes from Selby.",
    "speakers of a transcript": "\n\n".join(
        f"Chief Harbour Engineer: {said}."
        for said in ("the lamp costs 12 euros", "fine", "the switch adds 4 euros", "good", "we meet again")
    ),
    "the change is right": YEARS + "Members fell by 12.5% over the year.",
    "another change of the row": YEARS + "Members paid 25% less for the course.",
    "a target": QUOTES + "We want to be 30% cheaper than Falke by 2028.",
    "points are no percent": YEARS + "The margin rose by 5 percentage points.",
    "an interval is no share": table("| Pear | Hit |", "| Bosc | 91.5% |") + "The 95% interval of the hit rate for Bosc is narrow.",
    "one of several": QUOTES + "Adler is one of the cheapest.",
    "the cheapest but one": QUOTES + "After Bussard, Adler is the cheapest.",
    "most as a quantifier": QUOTES + "Most of what Adler sells is oak.",
    "a row that has the extreme": QUOTES + "Falke needs the fewest weeks, Bussard is the cheapest.",
    "a mean of part of it": table("| Day | Calls |", "| Mon | 30 |", "| Tue | 40 |", "| Wed | 50 |") + "On Tue and Wed we took 45 calls on average.",
    "almost all": table("| Lane | Share |", "| A | 91% |", "| B | 96% |", "| C | 88% |") + "Almost all lanes are above 90%.",
    "a total of something else": "## Trip\n\n" + table("| Item | Cost |", "| Bus | €120 |", "| Hut | €310 |") + "In all the fund holds €9,000.",
    "a total without a part": "## Trip\n\n" + table("| Item | Cost |", "| Bus | €120 |", "| Hut | €310 |") + "Without the bus it is €310 in all.",
    "an average row": table("| Class | Score |", "| A | 7 |", "| B | 9 |", "| Overall | 8 |"),
    "two of those named": "We sorted 60 notes: 20 concern the noise, 15 the light, 14 the heat and 11 the food. Noise and light thus make up more than half.",
    "a lower bound of a share that holds": "The shop sold 900 tickets, of which 710 online. So more than three in four came from the web.",
    "the rest of them": "We hired 300 cooks. Of these, 90 stayed. So seven in ten left.",
    "a share of others": "The shop sold 900 tickets, of which 610 online.\n\n## Staff\n\nNine in ten of us cycle.",
    "a change that is right": "Complaints: 22 in May, after 44 in April.\n\nSo complaints fell by half.",
    "a change of another thing": "In June there were 63 leaks, after 84 in the first quarter.\n\n## In brief\n\nDemand fell by half.",
    "a change of other years": "In June there were 63 leaks, after 84 in May.\n\nThe levy is 40% lower.",
    "points that are right": "Of the two, one is at 82% and the other at 61%. They are thus more than twenty points apart.",
    "a budget that was kept": "The budget was £4,300 and we spent £4,000. In other words, we stayed below budget.",
    "a budget to come": PLAN + "We hope to stay within budget.",
    "more than planned where it is": PLAN.replace("700", "950") + "The surplus is better than planned.",
    "all but one as promised": table("| Promised | Done |", "| 6 benches | 5 benches |", "| 90 trees | 95 trees |") + "Everything but the benches was delivered as promised.",
    "both where both did": TRAMS.replace("280", "330") + "Both went up.",
    "both of other things": BAKERY + "Both ovens went up in smoke.".replace("went up in smoke", "were cleaned"),
    "statuses that are right": STATES + "Two of the four tasks are done.",
    "a sum that is right": CLASSES + "That makes 28 places.",
    "a sum of some": CLASSES + "Together the last two have 16 places.",
    "a rest that is right": PURSE + "There is thus a good eleven hundred and some change in the box.",
    "what is left, roughly": PURSE + "There is thus a little over 1,100 in the cash box.",
    "a change behind a table that is right": TRAMS + "Ferry rides are therefore up by a third.",
    "a change from another time": TRAMS + "By 2030 we expect tram rides to be down by half.",
    "all of the number": "There are six of us in the office: four clerks and two cooks. All six are on call.",
    "all who have to": "There are two of us. All three have to sign.",
    "a span of something else": "The ferry stood still between 9:10 and 10:40. A repair takes four hours.",
    "a line of a sheet that agrees": SHEET + "Door logs go out of storage 40 days on.",
    "an amount a head that is right": "The lake has 400 boats.\n\n## Rubbish\n\nThe barge took away 20 tonnes. That is 50 kg per boat.",
    "an amount a year": "The lake has 400 boats.\n\n## Rubbish\n\nThe barge took away 20 tonnes. That is 80 kg a week.",
    "a caption and its opposite": "## A\n\nNot in the old park:\n\n- oaks\n\n## B\n\nIn the old park:\n\n- elms",
    "marks that happen to multiply": table("| Mark | A | B | C |", "| Fit | 1 | 3 | 3 |", "| Cost | 1 | 2 | 2 |", "| Care | 2 | 2 | 2 |"),
    "a growth of rows": table("| Trade | 2026 |", "| Roofers | 96 |", "| Joiners | 61 |") + "Roofers grew most.",
    "what was promised": "We promised five courses.\n\n## Courses\n\n- Knots\n- Charts\n- Tides\n- Weather",
    "another line": SHEET + "Logs of the lift are in storage for 25 days.",
    "the parts add up": "Forty chairs: 22 in the hall, 10 in the loft and 8 at the joiner's.",
    "numbers of things": "Two rooms: 12 on the left and 14 on the right.",
    "an open list": "Forty chairs: 22 in the hall, 10 in the loft and the rest at the joiner's.",
    "sections in brackets": "Ten hours are allowed (section 7, paragraph 2).",
    "several answers": "We asked 90 guests. Of these, 52 liked the soup and 30 the stew.",
    "an equation that holds": "That makes 6 × 12 = 72 jars.",
    "a ratio beside another share": "In the survey (288 of 371 answered), 61% said yes.",
    "more figures than are told": "By May we had 1,135 forms. By June 386 were read, 291 by Ann and 95 by Bo. That is 34%.",
    "a list of other things": "We offer five courses.\n\n## How to book a course\n\n- Ring us\n- Write\n- Come by\n- Pay",
    "another kind of them": "We offer five evening courses.\n\n## Courses\n\n- Knots\n- Charts\n- Tides\n- Weather",
    "more to come": "Three more courses follow.\n\n## Courses\n\n- Knots\n- Charts\n- Tides\n- Weather",
    "a section's number": "## 4 Complaints\n\n" + table("| Complaint | Share |", "| Fog | 38% |", "| Door | 27% |", "| Late | 35% |"),
    "some of us": "There are six of us in the office. Three of us cycle.",
    "a chair who votes": "Chair: D. Marsh. Present: A. Moor, B. Fenn, C. Heath.\n\nThe motion was carried, 3 for, 1 against.",
    "a lower bound that holds": "Sixty farms are members.\n\nMore than fifty farms buy through us.",
    "a condition": "The depot has 35 vans.\n\nWith more than 60 vans, the list loads slowly.",
    "a part of a kind": "Nine mirrors serve the files. The two mirrors nearest to the office are checked first.",
    "another subject": "Drafts expire after 14 days.\n\nInvoices expire after 30 days.",
    "a changed setting": "Drafts used to expire after 14 days.\n\nDrafts now expire after 30 days.",
    "items of one list": "- fast plan: at most 10 GB\n- slow plan: at most 40 GB",
    "other words beside the hours": "The café opens at 8:00 on weekdays.\n\nThe café opens at 9:00 on Sundays.",
    "phases that go on": "Phases 1 to 4 are done.\n\n## Phase 5\n\nA.\n\n## Phase 6\n\nB.",
    "a version that is dropped": "Needs Ubuntu 22 or newer.\n\nIt no longer runs on Ubuntu 20.",
    "two models": "Model A is rated IP44, model B IP54.",
    "columns that are made of others": table("| Test | Passed | Run | Rate |", "| A | 45 | 50 | 90% |", "| B | 30 | 40 | 75% |"),
    "a change of rounded figures": table("| Site | 2025 | 2026 | Change |", "| A | 1.2 | 1.3 | 5% |", "| B | 20.0 | 30.0 | 50% |", "| C | 10.0 | 12.0 | 20% |"),
    "changes that are right": table("| Site | 2025 | 2026 | Change |", "| A | 10.00 | 9.00 | -10% |", "| B | 20.00 | 30.00 | +50% |", "| C | 10.00 | 12.00 | +20% |"),
    "a share that a full one turns round": table("| Tests | Passed | All | Share |", "| Valid | 214 | 214 | 100% |", "| Invalid | 484 | 490 | 98.8% |"),
    "columns that are not changes": table("| Site | 2025 | 2026 | Filled |", "| A | 10 | 9 | 40% |", "| B | 20 | 30 | 50% |", "| C | 10 | 12 | 75% |"),
    "doubled as it did": "The harvest doubled from 120 kg to 235 kg.",
    "doubled nearly": "The harvest nearly doubled from 120 kg to 200 kg.",
    "doubled, and two other figures": "The harvest doubled: 14 growers joined, and 22 shops bought.",
    "doubled, from a place to a place": "Traffic doubled on the road from 12 Oak Lane to the 40 new homes.",
    "halved as it did": "Complaints had halved: 22 in the summer, 11 since.",
    "an excess that is right": "The roof cost £41,200 against a budget of £38,000, which is 8% over.",
    "an excess of the larger": "The roof cost £38,000 against a budget of £41,200, which is 8% under.",
    "an excess over something else": "The roof cost £41,200 against a budget of £38,000, which is 12% more than last time.",
    "a share of something else": "The roof cost £41,200 against a budget of £38,000, which is 12% of the year's income.",
    "columns that are not made of others": table("| Test | Age | Size | Rate |", "| A | 45 | 50 | 70% |", "| B | 30 | 40 | 85% |"),
    "a mean that is right": "The marks were 7, 8 and 6, a mean of 7.",
    "a span that is right": "The lift stood from 10:15 to 11:05, 50 minutes in all.",
    "a part of a span": "The desk is open from 9:00 to 17:00 with a break of 45 minutes.",
    "what was done to the named": "The four reminders are sent, filed and forgotten.",
    "a share after its counts": "We counted 40 of 50 boats, which makes 80%.",
    "a share of another whole": "Of 31 answers 21 were yes, that is 68%.",
    "an equation of four decimals": "The gap moves 2 × 1.6667 = 3.3334 kWh, or 0.1234 + 0.1111 = 0.2345.",
    "an and inside an item of a list": "We asked three firms. The firms are Brandt, Oyelaran and Sons, and Tallis.",
    "an and inside an item of a sentence": "Three firms: Brandt, Oyelaran and Sons, and Tallis.",
    "an item with an and": "Four firms sent offers: Brandt, Oyelaran and Sons, Pivot, and Tallis.",
    "pairs": "We sell three pairs: salt and pepper, bread and butter, and oil and vinegar.",
    "the mean of one of two tables": "The average price is €13.84.\n\n"
    + table("| Region | 2026 price (€) |", "| North | 13.20 |", "| South | 12.65 |", "| East | 15.40 |", "| West | 14.10 |")
    + table("| Blend | Price per kg |", "| House | €18.00 |", "| Dark | €19.50 |", "| Decaf | €21.00 |"),
    "an absolute that holds": "Photos never leave the camera.\n\nThe camera never sends photos to anybody.",
}  # fmt: skip


@pytest.mark.parametrize("text", LOOK_ALIKES.values(), ids=LOOK_ALIKES.keys())
def test_what_looks_like_a_conflict_is_none(text: str) -> None:
    assert [finding.reason for finding in found(text)[1]] == []


def test_a_made_figure_has_no_zeros_behind_its_point() -> None:
    [finding] = found("It costs 12,50 € a day, and 12 × 4 = 49,50 € for four.")[1]
    assert finding.reason == '"12 × 4 = 49,50" is 48'


def test_the_other_side_is_named_as_a_place() -> None:
    document, (finding,) = found(QUOTES + "Adler is the cheapest.")
    [other] = finding.related
    assert document.segment(finding.segment).plain == "Adler is the cheapest."
    assert document.segment(other.segment).plain.startswith("Bussard")


def reading_of(text: str) -> Reading:
    [segment], [keys] = parse(text).segments, parse(text).keys
    return Reading(segment, segment.plain.lower(), keys)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("half of it", 50),
        ("two thirds", 66),
        ("nine in ten", 90),
        ("94 cases of a hundred", 94),
        ("a fifth", 20),
    ],
)
def test_shares_are_read_from_words(text: str, value: int) -> None:
    [share] = shares(reading_of(text), find_quantities(text, False))
    assert int(share.value) == value


@pytest.mark.parametrize("text", ["half an hour", "half-open", "one of them"])
def test_what_is_no_share(text: str) -> None:
    assert shares(reading_of(text), []) == []


@pytest.mark.parametrize(
    ("text", "number", "dimension"),
    [
        ("forty-six chairs", 46, ""),
        ("a hundred chairs", 100, ""),
        ("six per cent", 6, "share"),
        ("three weeks", 3, "time"),
    ],
)
def test_numbers_in_words_have_their_unit(text: str, number: int, dimension: str) -> None:
    [quantity] = find_quantities(text, False)
    assert int(quantity.number) == number
    assert quantity.dimension == dimension


@pytest.mark.parametrize(
    "text",
    [
        "# A\n\n## Summary\n\n"
        + "".join(f"The {i} of Ana{i} is not first in Rome{i}.\n\n" for i in range(1500))
        + "## B\n\n"
        + "".join(f"The last {i} of Bo{i} is in Oslo{i}.\n\n" for i in range(3000)),
        "".join(f"We have {i} depots and {i % 90} days, {i % 100}% of the total.\n\n" for i in range(1500)),
        "| a | b |\n|---|---|\n" + "".join(f"| item {i} | {i} |\n" for i in range(4000)),
        "- depot 1: 5 kg\n" * 3000,
        "Sixty parts " + "(" * 3000 + " 5 and 6 " + ")" * 3000,
        "1 + " * 4000 + "= 5",
        "".join(
            f"{i + 900} rides of {i}, of which {i} were night rides. Night rides are thus every third ride, down by half.\n\n"
            for i in range(1500)
        ),
        ("| a | b |\n|---|---|\n| full night rides | 5 days |\n\nNight rides are kept 6 days.\n\n" * 800),
    ],
    ids=["summary", "counts", "rows", "list", "brackets", "equation", "shares", "sheets"],
)
def test_long_documents_of_figures_take_no_square(text: str) -> None:
    began = time.perf_counter()
    found(text)
    assert time.perf_counter() - began < 15


SALES = "# Sales\n\n" + table(
    "| Region | Sales | Cost |", "| North | 310 | 12 |", "| South | 120 | 40 |", "| East | 90 | 9 |"
)
OF_OUTSIDE = {1, 9}


@pytest.mark.parametrize(
    ("text", "needs_a_source"),
    [
        (SALES + "North has the highest sales.", False),
        (SALES + "East has the lowest sales of all regions.", False),
        (SALES.replace(" 310", " €310").replace(" 120", " €120").replace(" 90", " €90") + "North has the highest sales.", False),
        (SALES + "North has the highest sales in Europe.", True),
        (SALES + "North has the highest sales and the best team in the world.", True),
        ("# Sales\n\nNorth has the highest sales.", True),
        (table("| City | Rent |", "| Bern | 12 |", "| Rome | 9 |") + "North has the highest sales.", True),
    ],
)  # fmt: skip
def test_what_a_table_shows_needs_no_source_from_outside(text: str, needs_a_source: bool) -> None:
    document, findings = review(text)
    last = document.segments[-1].number
    assert any(one.segment == last and OF_OUTSIDE & set(one.points) for one in findings) == needs_a_source
