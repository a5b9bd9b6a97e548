"""Draws the points of bench/work_precision as SVG: a panel for each mechanism, error down against time, both logarithmic.
Families have a colour, orders a shade of it; peers are dashed. Labels stand at the ends of the lines."""
import math
from html import escape

WIDTH, PANEL, TOP, LEFT, RIGHT, GAP = 1000, 440, 112, 74, 230, 78
INK, FAINT, GRID = "#24292f", "#6b7280", "#e8eaed"
BLUES, ORANGES = ("#8ec1ea", "#4a94d4", "#1c66ad", "#0b3a6b"), ("#f2b36b", "#e58a1f", "#bf6208", "#7d3c00")
COLOURS = {"energy-momentum": "#d6336c", "generalized-alpha": "#8a4fbf", "rkmk4": "#0f9488", "dopri5": "#2f9e44"}
EXUDYN, SIMBODY = ("#9aa0a6", "#80868b", "#5f6368", "#3c4043"), ("#a1887f", "#6d4c41")
DASHES = {"Exudyn": "7 4", "Simbody": "2 4"}


def styled(lines):
    """(line, colour, dash, marker) in the order in which they are drawn: peers below."""
    shades = {"petrov-galerkin": iter(BLUES), "gauss-legendre": iter(ORANGES), "Exudyn": iter(EXUDYN), "Simbody": iter(SIMBODY)}
    done = []
    for line in lines:
        family = line["family"]
        colour = next(shades[family]) if family in shades else COLOURS[family]
        done.append((line, colour, DASHES.get(family)))
    return sorted(done, key=lambda entry: entry[2] is None)


def power(exponent):
    digits = str(exponent).translate(str.maketrans("-0123456789", "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"))
    return "1" if exponent == 0 else f"10{digits}"


def spread(wanted, room, low, high):
    """Places near the wanted ones, in their order, at least `room` apart."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    groups = []  # members and the middle of their places
    for i in order:
        groups.append([[i], wanted[i]])
        while len(groups) > 1:
            (a, at), (b, bt) = groups[-2], groups[-1]
            if at + room * (len(a) - 1) / 2 + room <= bt - room * (len(b) - 1) / 2 + 1e-9:
                break
            members = a + b
            centre = sum(wanted[k] for k in members) / len(members)
            groups[-2:] = [[members, centre]]
    places = {}
    for members, centre in groups:
        half = room * (len(members) - 1) / 2
        centre = min(max(centre, low + half), high - half)
        for k, i in enumerate(members):
            places[i] = centre - half + room * k
    below = high + room  # groups moved into the panel may have come upon others
    for i in reversed(order):
        below = places[i] = min(places[i], below - room)
    return [places[i] for i in range(len(wanted))]


def panel(data, top):
    lines = styled(data["series"])
    points = [p for line, *_ in lines for p in line["points"]]
    x0, x1 = math.floor(math.log10(min(t for t, _ in points)) * 2) / 2, math.ceil(math.log10(max(t for t, _ in points)) * 2) / 2
    y0, y1 = math.floor(math.log10(min(e for _, e in points))), math.ceil(math.log10(max(e for _, e in points)))
    width = WIDTH - LEFT - RIGHT
    x = lambda t: LEFT + width * (math.log10(t) - x0) / (x1 - x0)
    y = lambda e: top + PANEL * (y1 - math.log10(e)) / (y1 - y0)
    yield f'<text x="{LEFT}" y="{top - 14}" font-size="16" font-weight="600">{escape(data["name"])}, {data["duration"]:g} s</text>'
    for k in range(y0, y1 + 1):
        yield f'<line x1="{LEFT}" x2="{LEFT + width}" y1="{y(10.0**k):.1f}" y2="{y(10.0**k):.1f}" stroke="{GRID}"/>'
        if k % 2 == 0:
            yield f'<text x="{LEFT - 8}" y="{y(10.0**k) + 4:.1f}" text-anchor="end" fill="{FAINT}">{power(k)}</text>'
    for k in range(math.ceil(x0), math.floor(x1) + 1):
        yield f'<line x1="{x(10.0**k):.1f}" x2="{x(10.0**k):.1f}" y1="{top}" y2="{top + PANEL}" stroke="{GRID}"/>'
        name = f"{10**k:g} s" if k >= 0 else f"{10.0**(k + 3):g} ms"
        yield f'<text x="{x(10.0**k):.1f}" y="{top + PANEL + 18}" text-anchor="middle" fill="{FAINT}">{name}</text>'
    yield f'<rect x="{LEFT}" y="{top}" width="{width}" height="{PANEL}" fill="none" stroke="#b6bcc4"/>'
    for line, colour, dash in lines:
        path = " ".join(f"{x(t):.1f},{y(e):.1f}" for t, e in line["points"])
        style = f'stroke-dasharray="{dash}" stroke-width="1.6"' if dash else 'stroke-width="2.2"'
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-linejoin="round" {style}/>'
        for t, e in line["points"]:
            yield f'<circle cx="{x(t):.1f}" cy="{y(e):.1f}" r="{2.2 if dash else 2.8}" fill="{colour}"/>'
    ends = [line["points"][-1] for line, *_ in lines]
    at = spread([y(e) for _, e in ends], 16.5, top + 6, top + PANEL - 6)
    for (line, colour, dash), (t, e), label_y in zip(lines, ends, at):
        edge = LEFT + width + 10
        yield (f'<path d="M{x(t) + 4:.1f} {y(e):.1f} C{edge - 40:.1f} {y(e):.1f} {edge - 40:.1f} {label_y:.1f} {edge:.1f} {label_y:.1f}" '
               f'fill="none" stroke="{colour}" stroke-width="0.8" opacity="0.55"/>')
        yield f'<text x="{edge + 4}" y="{label_y + 4.5:.1f}" fill="{colour}" font-weight="500">{escape(line["label"])}</text>'


def picture(data):
    height = TOP + len(data["panels"]) * (PANEL + GAP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="Helvetica, Arial, sans-serif" '
             f'font-size="13" fill="{INK}">', f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
             f'<text x="{LEFT}" y="34" font-size="20" font-weight="600">Error at the end against time to compute</text>',
             f'<text x="{LEFT}" y="56" fill="{FAINT}">Largest error of a mass centre [m] over seconds of the run; lower and further '
             'left is better. Peers are dashed.</text>']
    for i, each in enumerate(data["panels"]):
        parts += panel(each, TOP + i * (PANEL + GAP))
    return "\n".join(parts) + "\n</svg>\n"
