// ---- two curves over the steps, as SVG

// A chart in `place`, as wide as it. Values from `lowest` to `highest`, or, without `highest`, to the next whole number
// above the largest one; `ticks`, or whole numbers, are labeled by `label`.
class Chart {
  constructor(place, {lowest, highest, ticks, label = String, name}) {
    Object.assign(this, {place, lowest, highest, ticks, label, name, floor: null});
    this.clear();
    new ResizeObserver(() => this.draw()).observe(place);
  }

  clear() {
    this.points = [];  // [step, value]
    this.draw();
  }

  add(step, value) {
    this.points.push([step, value]);
    this.draw();
  }

  // Steps are shown up to the next of these, so that the beginning is not squeezed into a corner.
  lastStep() {
    const latest = this.points.length ? this.points.at(-1)[0] : 0;
    return [50, 100, 200, 500, 1000].find(limit => latest <= limit) ?? Math.ceil(latest / 500) * 500;
  }

  // The largest value shown and the labeled ones: no part of the chart stays empty above the points.
  scale() {
    if (this.highest !== undefined) return {highest: this.highest, ticks: this.ticks};
    const highest = Math.max(2, Math.ceil(this.points.reduce((most, [, value]) => Math.max(most, value), 0)));
    const ticks = Array.from({length: highest + 1}, (_, i) => i).filter(tick => highest < 6 || tick % 2 === 0);
    return {highest, ticks};
  }

  draw() {
    const width = Math.max(200, this.place.clientWidth), height = Math.min(220, width * .6), left = 38, bottom = 22, top = 8;
    const steps = this.lastStep();
    const x = step => left + step / steps * (width - left - 8);
    const {highest, ticks} = this.scale();
    const y = value => top + (highest - Math.min(highest, value)) / (highest - this.lowest) *
        (height - top - bottom);
    const svg = drawn('svg', {viewBox: `0 0 ${width} ${height}`, height, role: 'img', 'aria-label': this.summary()});
    for (const tick of ticks) {
      svg.append(drawn('line', {class: 'grid', x1: left, x2: width - 8, y1: y(tick), y2: y(tick)}),
                 drawn('text', {x: left - 6, y: y(tick) + 4, 'text-anchor': 'end'}, this.label(tick)));
    }
    for (const part of [0, .5, 1])
      svg.append(drawn('text', {x: x(steps * part), y: height - 4, 'text-anchor': ['start', 'middle', 'end'][part * 2]},
                       part ? (steps * part).toLocaleString('en') : 'step 0'));
    if (this.floor !== null)
      svg.append(drawn('line', {class: 'floor', x1: left, x2: width - 8, y1: y(this.floor), y2: y(this.floor)}),
                 drawn('text', {x: left + 4, y: y(this.floor) + 14}, `the lowest possible: ${this.label(this.floor)}`));
    this.drawPoints(svg, x, y);
    this.place.replaceChildren(svg);
  }

  drawPoints(svg, x, y) {
    const every = Math.ceil(this.points.length / 300), isCurve = this.smooth === undefined;
    this.points.forEach(([step, value], i) => {
      if (i % every === 0)
        svg.append(drawn('circle', {class: isCurve ? 'point' : '', cx: x(step).toFixed(1), cy: y(value).toFixed(1),
                                    r: isCurve ? 3 : 2}));
    });
    const few = Math.ceil(this.points.length / 1000);
    const curve = this.curve().filter((point, i, all) => i % few === 0 || i === all.length - 1);
    if (curve.length > 1)
      svg.append(drawn('path', {d: 'M' + curve.map(([step, value]) => `${x(step).toFixed(1)} ${y(value).toFixed(1)}`).join('L')}));
  }

  // The points, or their running average if `smooth` is the weight of the past.
  curve() {
    if (this.smooth === undefined) return this.points;
    let sum = 0, weights = 0;  // from the first step on a true average, without a memory of 0
    return this.points.map(([step, value]) => {
      sum = this.smooth * sum + value;
      weights = this.smooth * weights + 1;
      return [step, sum / weights];
    });
  }

  summary() {
    if (!this.points.length) return `${this.name}: nothing yet`;
    const [first, last] = [this.points[0], this.points.at(-1)];
    return `${this.name}: ${this.label(first[1])} at step ${first[0]}, ${this.label(last[1])} at step ${last[0]}`;
  }
}
