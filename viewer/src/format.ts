// Numbers and units for people.

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const THIN = '\u202f'; // never broken at the end of a line

function superscript(integer: number): string {
  const digits = [...String(Math.abs(integer))].map((digit) => SUPERSCRIPTS[Number(digit)]).join('');
  return (integer < 0 ? '⁻' : '') + digits;
}

/** So many significant digits, powers of ten where plain digits would be long. */
export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
  const power = Number(exponent);
  const sign = value < 0 ? '−' : '';
  if (power >= -3 && power < Math.max(digits, 5)) {
    return sign + Math.abs(value).toFixed(Math.max(0, digits - 1 - power));
  }
  return `${sign}${mantissa.replace('-', '')}${THIN}·${THIN}10${superscript(power)}`;
}

/** `kg m^2/s` as it is printed; nothing for a pure number. */
export function unit(text: string): string {
  if (text === '1') return '';
  return text.replace(/\^(\d)/g, (_, digit) => SUPERSCRIPTS[Number(digit)]);
}

export function quantity(value: number | null | undefined, unitText: string, digits = 4): string {
  const printed = unit(unitText);
  return printed ? `${number(value, digits)}${THIN}${printed}` : number(value, digits);
}

/** A time with as many decimals as tell one record from the next. */
export function seconds(time: number, step: number): string {
  const decimals = step > 0 ? Math.min(9, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))) : 3;
  return time.toFixed(decimals);
}

/** A number that somebody chose, as short as it is. */
export function chosen(value: number | null, unitText: string): string {
  if (value === null || !Number.isFinite(value)) return '–';
  return `${Number(value.toPrecision(6))}${THIN}${unit(unitText)}`;
}

/** A tick of a logarithmic axis. */
export function powerOfTen(value: number): string {
  return `10${superscript(Math.round(Math.log10(value)))}`;
}

export function count(n: number, one: string, many = one + 's'): string {
  return `${n}${THIN}${n === 1 ? one : many}`;
}
