/** Converts full-width digits, letters and signs, as typed in East Asia, to the ordinary ones. */
export const narrow = (text: string): string =>
  text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
