// Axes of what the preview draws by itself.
/** Round steps from zero to the highest value, some 40 pixels apart. */
export function ticks(highest: number, pixels: number): number[] {
  const rough = highest / Math.max(1, Math.floor(pixels / 40)) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? 10 * power;
  return Array.from({ length: Math.floor(highest / step + 1.0001) }, (_, i) => i * step);
}

export interface Scale {
  marks: number[];
  place: (value: number) => number;
}

export function linear(highest: number, length: number, pixels: number): Scale {
  return { marks: ticks(highest, pixels), place: (value) => (value / highest) * length };
}

/** Whole powers of the base, from the one below the least value to the one above the highest. */
export function logarithmic(values: number[], base: number, length: number): Scale {
  const power = (value: number) => Math.log(value) / Math.log(base);
  const positive = values.filter((value) => value > 0);
  const least = Math.floor(power(Math.min(...positive)));
  const highest = Math.max(least + 1, Math.ceil(power(Math.max(...positive)) - 1e-9));
  const marks = Array.from({ length: highest - least + 1 }, (_, i) => base ** (least + i));
  const place = (value: number) =>
    value > 0 ? Math.max(0, ((power(value) - least) / (highest - least)) * length) : 0;
  return { marks, place };
}
