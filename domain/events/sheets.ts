/** Returns the lines that read a csv address in other tools, each with the tool's name. */
export const sheetLines = (sheet: string): readonly (readonly [tool: string, line: string])[] => [
  ['Google Sheets', `=IMPORTDATA("${sheet}")`],
  // Without the encoding, Excel takes that of the machine.
  ['Excel (Power Query)', `= Table.PromoteHeaders(Csv.Document(Web.Contents("${sheet}"), [Encoding=65001]))`],
  ['DuckDB', `FROM read_csv('${sheet}');`],
];
