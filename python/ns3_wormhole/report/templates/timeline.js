// SPDX-License-Identifier: GPL-2.0-only
"use strict";
// Draws a timeline. Times are whole ps, which a number holds up to 2^53 ps (two and a half hours).
// A lane is a row of slices that do not overlap, in order of time: what is within a window is found by
// bisection, and slices narrower than a pixel are drawn as one, so a frame costs by its pixels.

const data = JSON.parse(document.getElementById("data").textContent);
const canvas = document.getElementById("picture");
const details = document.getElementById("details");
const context = canvas.getContext("2d", { alpha: false });

const LABELS = 230; // width of the names of tracks, px
const RULER = 24; // height of the times, px
const LANE = 17; // height of a lane, px
const GROUP = 20; // height of a group's name, px
const ALL = 15; // digits of a whole number of ps
const MERGED = 3; // pixels of slices too narrow to be seen that are drawn as one
const MOST_ARROWS = 400; // more than that would hide all else

const COLOURS = {
    collective: { "": "#9cc3e6" },
    register: { gather: "#f0e442", "wait for the parent": "#f7f2b0", "": "#56b4e9" },
    process: { send: "#009e73", receive: "#0072b2", post: "#cc79a7", copy: "#e69f00", compute: "#d5d9e0",
               other: "#999999" },
    simulation: { "": "#c9ced6" },
};
const LEGEND = { collective: "member in a round", register: "register", process: "software",
                 simulation: "simulation" };

const view = { begin: 0, end: data.end, top: 0, selected: null, found: [], at: -1, folded: new Set() };
let rows = [];

/** Returns the first index, from a first one on, whose value is above a limit; values ascend. */
function firstAbove(values, limit, first = 0) {
    let low = first;
    let high = values.length;
    if (first > 0) {
        let step = 1; // it is near, mostly
        while (low + step < high && values[low + step] <= limit) {
            low += step;
            step *= 2;
        }
        high = Math.min(high, low + step);
    }
    while (low < high) {
        const middle = (low + high) >> 1;
        if (values[middle] > limit) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/** Returns a time with a unit that suits it, rounded to so many digits. */
function timeText(ps, digits = 6) {
    const [unit, size] = ps < 1e3 ? ["ps", 1] : ps < 1e6 ? ["ns", 1e3] : ps < 1e9 ? ["µs", 1e6]
        : ps < 1e12 ? ["ms", 1e9] : ["s", 1e12];
    return `${Number((ps / size).toPrecision(digits))} ${unit}`;
}

/** Returns when something was, counted from the start of the round that is shown first. */
const clockText = (ps) => `${Number(((ps - data.origin) / 1e6).toFixed(6))} µs`;

function argumentsOf(lane, index) {
    const [shape, ...values] = lane.args[index];
    return Object.fromEntries(data.shapes[shape].map((name, i) => [name, values[i]]));
}

const hues = data.names.map((name) => {
    const hash = name.split("").reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
    // Light colours, which a canvas reads faster as #rrggbb than as hsl().
    const part = (shift) => (140 + ((hash >> shift) & 63) + ((hash >> (shift + 9)) & 31))
        .toString(16);
    return `#${part(1)}${part(7)}${part(13)}`;
});

function colourOf(lane, index) {
    const category = data.categories[lane.categories[index]];
    const known = COLOURS[category] ?? {};
    return known[data.names[lane.names[index]]] ?? known[""] ?? hues[lane.names[index]];
}

function drawLegend() {
    const legend = document.getElementById("legend");
    const add = (text, ...colours) => legend.append(element("span", [...colours.map(
        (colour) => element("i", [], { style: `background: ${colour}` })), ` ${text}`]));
    for (const category of Object.keys(COLOURS).filter((each) => data.categories.includes(each))) {
        for (const [name, colour] of Object.entries(COLOURS[category])) {
            if (!name || data.names.includes(name)) {
                add(LEGEND[category] + (name ? `: ${name}`
                    : category === "register" ? ": other message" : ""), colour);
            }
        }
    }
    if (data.categories.includes("worm")) {
        add("worm, a colour for each sender and receiver", "#c9a6b8", "#a6c9b0");
    }
    if (data.tracks.some((track) => track.count)) {
        add("worms that wait for the output", "#d55e00");
    }
}

/** Lays out the rows: names of groups, then their tracks, unless folded. */
function layOut() {
    rows = [];
    let y = 0;
    data.groups.forEach((group, number) => {
        rows.push({ y, height: GROUP, group: number });
        y += GROUP;
        group.isFolded = view.folded.has(number);
        if (group.isFolded) {
            return;
        }
        for (const track of group.tracks) {
            const height = LANE * Math.max(1, data.tracks[track].lanes.length);
            data.tracks[track].y = y;
            rows.push({ y, height, track });
            y += height;
        }
    });
    view.height = y;
}

let wide = 0; // of the canvas, px
let high = 0;
const width = () => wide - LABELS;
const toX = (time) => LABELS + (time - view.begin) / (view.end - view.begin) * width();
const toTime = (x) => view.begin + (x - LABELS) / width() * (view.end - view.begin);

/** Draws a lane; narrow slices are merged. */
function drawLane(lane, y) {
    const pixel = (view.end - view.begin) / width();
    const right = LABELS + width();
    let index = firstAbove(lane.ends, view.begin - pixel);
    while (index < lane.begins.length && lane.begins[index] < view.end) {
        const begin = lane.begins[index];
        const end = lane.ends[index];
        const x = Math.max(toX(begin), LABELS);
        const long = Math.min(toX(end), right) - x;
        context.fillStyle = colourOf(lane, index);
        if (long < 1) {
            // A few pixels at once, as far as there is something in each.
            let next = Math.max(index + 1, firstAbove(lane.ends, begin + pixel, index));
            let pixels = 1;
            while (pixels < MERGED && next < lane.begins.length
                   && lane.ends[next] - lane.begins[next] < pixel
                   && lane.begins[next] < begin + (pixels + 1) * pixel) {
                ++pixels;
                next = Math.max(next + 1, firstAbove(lane.ends, begin + pixels * pixel, next));
            }
            context.fillRect(x, y + 2, pixels, LANE - 3);
            index = next;
            continue;
        }
        context.fillRect(x, y + 2, long, LANE - 3);
        if (long > 45) {
            const name = data.names[lane.names[index]];
            context.fillStyle = "#1d2733";
            context.fillText(name.slice(0, Math.floor((long - 3) / 6.5)), x + 3, y + LANE / 2 + 1);
        }
        ++index;
    }
}

function drawCount(track, y) {
    const { times, values, most } = track.count;
    context.fillStyle = "#d55e00";
    let index = Math.max(0, firstAbove(times, view.begin) - 1);
    const pixel = (view.end - view.begin) / width();
    while (index < times.length && times[index] < view.end) {
        const from = Math.max(toX(times[index]), LABELS);
        const next = Math.max(index + 1, firstAbove(times, times[index] + pixel / 2));
        const value = values.slice(index, next).reduce((a, b) => Math.max(a, b), 0);
        const to = next < times.length ? toX(times[next]) : toX(view.end);
        const high = value / most * (LANE - 3);
        context.fillRect(from, y + LANE - 1 - high, Math.max(1, to - from), high);
        index = next;
    }
}

/** Draws the arrows in sight, if they are not too many, and those of the selected slice. */
function drawArrows() {
    const { times, ends } = data.arrows;
    const isIn = (track, time) => view.selected?.track === track
        && view.selected.begin <= time && time <= view.selected.end;
    const first = firstAbove(times, view.begin - data.arrows.longest);
    const last = firstAbove(times, view.end);
    const isAll = last - first <= MOST_ARROWS;
    for (let i = isAll ? first : 0; i < (isAll ? last : view.selected ? times.length : 0); ++i) {
        const chosen = isIn(data.arrows.from[i], times[i]) || isIn(data.arrows.to[i], ends[i]);
        const from = data.tracks[data.arrows.from[i]];
        const to = data.tracks[data.arrows.to[i]];
        if ((!isAll && !chosen) || data.groups[from.group].isFolded || data.groups[to.group].isFolded) {
            continue;
        }
        const [x1, x2] = [times[i], ends[i]].map(toX);
        const [y1, y2] = [from, to].map((track) => RULER + track.y - view.top + LANE / 2);
        if (Math.max(y1, y2) < RULER || Math.min(y1, y2) > high) {
            continue;
        }
        context.strokeStyle = chosen ? "#d55e00" : "rgba(60, 70, 85, 0.45)";
        context.lineWidth = chosen ? 2 : 1;
        context.beginPath();
        context.moveTo(x1, y1);
        context.bezierCurveTo(x1 + 20, y1, x2 - 20, y2, x2, y2);
        context.moveTo(x2 - 5, y2 - 3);
        context.lineTo(x2, y2);
        context.lineTo(x2 - 5, y2 + 3);
        context.stroke();
    }
}

function drawRuler() {
    const span = view.end - view.begin;
    let step = 10 ** Math.floor(Math.log10(span / width() * 120));
    step *= [1, 2, 5, 10].find((each) => each * step * width() >= span * 90);
    context.fillStyle = "#f5f6f8";
    context.fillRect(0, 0, wide, RULER);
    context.fillStyle = "#4a5462";
    context.fillText(`time since the ${data.hasRound ? "round's" : "simulation's"} start`, 6, RULER / 2);
    const first = Math.ceil((view.begin - data.origin) / step);
    for (let i = first; data.origin + i * step < view.end; ++i) {
        const x = toX(data.origin + i * step);
        context.fillRect(x, RULER - 5, 1, 5);
        context.fillText(clockText(data.origin + i * step), x + 3, RULER / 2);
    }
}

function drawMarks() {
    const mark = (slice, colour) => {
        const track = data.tracks[slice.track];
        if (data.groups[track.group].isFolded || slice.begin > view.end || slice.end < view.begin) {
            return;
        }
        const x = Math.max(LABELS, toX(slice.begin));
        context.strokeStyle = colour;
        context.lineWidth = 2;
        context.strokeRect(x, RULER + track.y + slice.lane * LANE - view.top + 1,
                           Math.max(2, toX(slice.end) - x), LANE - 2);
    };
    view.found.slice(0, 2000).forEach((slice) => mark(slice, "#e69f00"));
    if (view.selected) {
        mark(view.selected, "#000000");
    }
}

function draw() {
    const ratio = window.devicePixelRatio || 1;
    [wide, high] = [canvas.clientWidth, canvas.clientHeight];
    const [across, down] = [wide, high].map((each) => Math.round(each * ratio));
    if (canvas.width !== across || canvas.height !== down) {
        [canvas.width, canvas.height] = [across, down];
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = "11px sans-serif";
    context.textBaseline = "middle";
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, wide, high);
    const visible = rows.filter((row) => row.y + row.height > view.top
        && row.y < view.top + high - RULER);
    context.save();
    context.beginPath();
    context.rect(LABELS, RULER, width(), high - RULER);
    context.clip();
    for (const row of visible) {
        const y = RULER + row.y - view.top;
        if (row.group !== undefined) {
            context.fillStyle = "#e8ebef";
            context.fillRect(LABELS, y, width(), row.height);
            continue;
        }
        const track = data.tracks[row.track];
        track.lanes.forEach((lane, i) => drawLane(lane, y + i * LANE));
        if (track.count) {
            drawCount(track, y);
        }
    }
    drawArrows();
    drawMarks();
    context.restore();
    for (const row of visible) {
        const y = RULER + row.y - view.top;
        context.fillStyle = row.group !== undefined ? "#e8ebef" : "#ffffff";
        context.fillRect(0, y, LABELS, row.height);
        context.fillStyle = "#1d2733";
        if (row.group !== undefined) {
            context.font = "bold 12px sans-serif";
            const sign = view.folded.has(row.group) ? "▸" : "▾";
            context.fillText(`${sign} ${data.groups[row.group].name}`, 6, y + row.height / 2);
            context.font = "11px sans-serif";
        } else {
            context.fillText(data.tracks[row.track].name.slice(0, 36), 18, y + LANE / 2 + 1);
        }
    }
    context.fillStyle = "#c9ced6";
    context.fillRect(LABELS - 1, 0, 1, high);
    drawRuler();
}

let due = 0;

/** Has a frame drawn when the screen is ready for one. */
function redraw() {
    due ||= requestAnimationFrame(() => {
        due = 0;
        draw();
    });
}

/** Shows a window of time, within reason. */
function show(begin, end) {
    const least = 100; // ps
    const span = Math.min(Math.max(end - begin, least), data.end * 1.1 + least);
    const middle = (begin + end) / 2;
    view.begin = Math.min(Math.max(middle - span / 2, -0.05 * data.end), data.end * 1.05);
    view.end = view.begin + span;
    redraw();
}

function zoom(factor, time) {
    show(time - (time - view.begin) * factor, time + (view.end - time) * factor);
}

function scrollTo(top) {
    view.top = Math.max(0, Math.min(top, view.height - canvas.clientHeight + RULER + LANE));
    redraw();
}

/** Returns the row at a height of the canvas; undefined: there is none. */
function rowAt(y) {
    const height = y - RULER + view.top;
    return rows.find((each) => each.y <= height && height < each.y + each.height);
}

/** Returns the slice at a place of the canvas, or null. */
function sliceAt(x, y) {
    const row = rowAt(y);
    const number = Math.floor((y - RULER + view.top - row?.y) / LANE);
    const lane = data.tracks[row?.track]?.lanes[number];
    if (!lane || x < LABELS) {
        return null;
    }
    const slack = (view.end - view.begin) / width() * 2;
    const index = firstAbove(lane.ends, toTime(x) - slack);
    return index < lane.begins.length && lane.begins[index] <= toTime(x) + slack
        ? sliceOf(row.track, number, index) : null;
}

function sliceOf(track, lane, index) {
    const { begins, ends } = data.tracks[track].lanes[lane];
    return { track, lane, index, begin: begins[index], end: ends[index] };
}

function element(name, content = [], attributes = {}) {
    const made = Object.assign(document.createElement(name), attributes);
    made.append(...[content].flat());
    return made;
}

/** Returns where the time of a slice went, as a table. */
function explanation(intervals) {
    const begin = intervals[0]?.from_ps ?? 0;
    const whole = intervals.reduce((sum, each) => sum + each.to_ps - each.from_ps, 0) || 1;
    const head = element("tr", ["after", "takes", "share", "cause", "where", "whose"]
        .map((name) => element("th", name)));
    return element("table", [head, ...intervals.map((each) => {
        const share = (each.to_ps - each.from_ps) / whole;
        const bar = element("span", [], { className: "bar", style: `width: ${Math.round(share * 120)}px` });
        return element("tr", [
            element("td", timeText(each.from_ps - begin, ALL), { className: "number" }),
            element("td", timeText(each.to_ps - each.from_ps, ALL), { className: "number" }),
            element("td", [bar, ` ${(share * 100).toFixed(1)} %`]),
            ...[each.cause, each.lane === undefined ? each.place : `${each.place} lane ${each.lane}`,
                each.other].map((text) => element("td", String(text ?? "")))]);
    })]);
}

/** Returns why a worm took so long: what the slice of its first arrival after a time has. Simulations
 *  that follow each other number their worms alike. */
function explanationOf(worm, time) {
    let found;
    let earliest = Infinity;
    data.tracks.flatMap((track) => track.lanes).forEach((lane) => lane.ends.forEach((end, i) => {
        const { worm: other, explain } = time <= end && end < earliest ? argumentsOf(lane, i) : {};
        if (other === worm && Array.isArray(explain)) {
            [found, earliest] = [explain, end];
        }
    }));
    return found;
}

function select(slice) {
    view.selected = slice;
    redraw();
    if (!slice) {
        details.replaceChildren(element("p", "Nothing is selected.", { className: "hint" }));
        return;
    }
    const track = data.tracks[slice.track];
    const lane = track.lanes[slice.lane];
    const { explain: own, ...others } = argumentsOf(lane, slice.index);
    const explain = own ??
        (others.worm === undefined ? undefined : explanationOf(others.worm, slice.begin));
    const told = { track: `${data.groups[track.group].name}, ${track.name}`,
                   begins: clockText(slice.begin), ends: clockText(slice.end),
                   takes: timeText(slice.end - slice.begin, ALL), ...others };
    const table = element("table", Object.entries(told).map(([name, value]) => element("tr", [
        element("th", name),
        element("td", typeof value === "object" ? JSON.stringify(value) : String(value))])));
    const columns = [table, ...(Array.isArray(explain) ? [explanation(explain)] : [])];
    details.replaceChildren(element("h2", data.names[lane.names[slice.index]]),
                            element("div", columns, { className: "columns" }));
}

/** Finds slices by name, or by the number of their worm. */
function search(text) {
    [view.found, view.at] = [[], -1];
    const wanted = text.trim().toLowerCase();
    const number = /^(?:worm\s*)?(\d+)$/.exec(wanted);
    if (wanted) {
        const isNamed = data.names.map((name) => name.toLowerCase().includes(wanted));
        data.tracks.forEach((track, t) => track.lanes.forEach((lane, l) => {
            for (let i = 0; i < lane.begins.length; ++i) {
                if (number ? argumentsOf(lane, i).worm === Number(number[1]) : isNamed[lane.names[i]]) {
                    view.found.push(sliceOf(t, l, i));
                }
            }
        }));
        view.found.sort((a, b) => a.begin - b.begin || a.track - b.track);
    }
    document.getElementById("found").textContent = wanted ? `${view.found.length} found` : "";
    redraw();
}

function next() {
    if (view.found.length === 0) {
        return;
    }
    view.at = (view.at + 1) % view.found.length;
    const slice = view.found[view.at];
    if (view.folded.delete(data.tracks[slice.track].group)) {
        layOut();
    }
    const span = Math.min(view.end - view.begin, 20 * (slice.end - slice.begin + 1000));
    show((slice.begin + slice.end - span) / 2, (slice.begin + slice.end + span) / 2);
    scrollTo(data.tracks[slice.track].y - canvas.clientHeight / 2);
    select(slice);
    document.getElementById("found").textContent = `${view.at + 1} of ${view.found.length}`;
}

/**
 * Draws frames that pan over the whole run, each complete before the next, and returns how many a
 * second there were, the best of three passes.
 */
function measurePan(frames, share) {
    const span = data.end * share;
    let best = Infinity;
    for (let pass = 0; pass < 3; ++pass) { // another program may have the processor meanwhile
        const start = performance.now();
        for (let i = 0; i < frames; ++i) {
            view.begin = (data.end - span) * i / frames;
            view.end = view.begin + span;
            draw();
            context.getImageData(LABELS, RULER, 1, 1); // waits until it is drawn
        }
        best = Math.min(best, performance.now() - start);
    }
    return frames * 1000 / best;
}

let drag = null;
canvas.addEventListener("pointerdown", (event) => {
    drag = { x: event.offsetX, y: event.offsetY, begin: view.begin, end: view.end, top: view.top,
             moved: false };
    canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointermove", (event) => {
    if (!drag) {
        return;
    }
    const [dx, dy] = [event.offsetX - drag.x, event.offsetY - drag.y];
    drag.moved = drag.moved || Math.abs(dx) + Math.abs(dy) > 3;
    if (drag.moved) {
        const shift = -dx / width() * (drag.end - drag.begin);
        show(drag.begin + shift, drag.end + shift);
        scrollTo(drag.top - dy);
    }
});
canvas.addEventListener("pointerup", (event) => {
    const wasClick = drag && !drag.moved;
    drag = null;
    if (!wasClick) {
        return;
    }
    const group = rowAt(event.offsetY)?.group;
    if (group === undefined) {
        select(sliceAt(event.offsetX, event.offsetY));
        return;
    }
    if (!view.folded.delete(group)) {
        view.folded.add(group);
    }
    layOut();
    scrollTo(view.top);
});
canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) {
        zoom(Math.exp(event.deltaY * 0.002), toTime(event.offsetX));
    } else if (event.shiftKey || event.deltaX !== 0) {
        const shift = (event.deltaX || event.deltaY) / width() * (view.end - view.begin);
        show(view.begin + shift, view.end + shift);
    } else {
        scrollTo(view.top + event.deltaY);
    }
}, { passive: false });
document.addEventListener("keydown", (event) => {
    if (event.target.tagName === "INPUT") {
        return;
    }
    const middle = (view.begin + view.end) / 2;
    const shift = (view.end - view.begin) / 8;
    const actions = { w: () => zoom(0.8, middle), s: () => zoom(1.25, middle),
                      a: () => show(view.begin - shift, view.end - shift),
                      d: () => show(view.begin + shift, view.end + shift), Escape: () => select(null) };
    actions[event.key]?.();
});
const field = document.getElementById("search");
field.addEventListener("input", () => search(field.value));
field.addEventListener("keydown", (event) => event.key === "Enter" && next());
document.getElementById("whole").addEventListener("click", () => show(0, data.end));
window.addEventListener("resize", redraw);

// What an address may ask for: #find=worm 12, #from=2&until=5 (us, of the ruler), #measure=100 (frames).
const asked = new URLSearchParams(decodeURIComponent(location.hash.slice(1)));
layOut();
drawLegend();
show(data.open[0], data.open[1]);
draw();
if (asked.has("from") || asked.has("until")) {
    const at = (name, otherwise) => asked.has(name) ? data.origin + Number(asked.get(name)) * 1e6 : otherwise;
    show(at("from", 0), at("until", data.end));
}
if (asked.has("find")) {
    field.value = asked.get("find");
    search(field.value);
    next();
}
if (asked.has("measure")) {
    document.body.dataset.framesPerSecond = [1, 0.1, 0.01].map(
        (share) => measurePan(Number(asked.get("measure")), share).toFixed(1)).join(" ");
    show(0, data.end);
}
draw();
