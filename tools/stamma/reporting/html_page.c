/* SPDX-License-Identifier: MIT */
/* Self-contained HTML pages: style sheet, elements, escaped texts and tables. */
#include "reporting/html_page.h"

#include <math.h>

/* The same colours as in web/style.css. The contrast to the card is at least 3 for graphics, and at least 4.5 for text.
 * */
static const char colors[] =
    ":root{color-scheme:light dark;--paper:light-dark(#f7f5f0,#16181a);--card:light-dark(#fffefb,#1e2124);"
    "--ink:light-dark(#23211d,#e4e1da);--muted:light-dark(#6a655b,#9c978d);--line:light-dark(#e3ded3,#31353a);"
    "--c0:light-dark(#2d6a5f,#83c3b2);--c1:light-dark(#a8641a,#dba45c);--c2:light-dark(#4b66a8,#92aef0);"
    "--c3:light-dark(#8d4a86,#d094c8);--c4:light-dark(#6a655b,#a9a49a);--c5:light-dark(#a3352b,#ee9186);"
    "--c6:light-dark(#2d6a5f,#83c3b2);--c7:light-dark(#8a8478,#8d887e);--c8:light-dark(#b4532a,#e08a5f);"
    "--c9:light-dark(#857d6c,#7d7a73)}\n";
static const char layout[] =
    "*{box-sizing:border-box}\n"
    "html{font:15px/1.5 system-ui,-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",\"DejaVu Sans\",sans-serif}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);font-variant-numeric:tabular-nums}\n"
    "main{max-width:76rem;margin:0 auto;padding:1.4rem clamp(0.8rem,3vw,2rem) 3rem}\n"
    "h1,h2,h3{font-family:Palatino,\"Book Antiqua\",\"Noto Serif\",\"DejaVu Serif\",Georgia,serif;font-weight:600}\n"
    "h1,h2,h3{line-height:1.25;text-wrap:balance;overflow-wrap:anywhere}\n"
    "h1{font-size:1.7rem;margin:0}\n"
    "h2{font-size:1.25rem;margin:2.2rem 0 0.7rem}\n"
    "h3{font-size:1.02rem;margin:0 0 0.4rem}\n"
    "p{margin:0.3rem 0;overflow-wrap:anywhere}\n"
    "footer{margin-top:2.5rem;overflow-wrap:anywhere}\n"
    ".muted,footer{color:var(--muted)}\n"
    ".grid{display:grid;gap:1rem;align-items:start}\n"
    ".grid{grid-template-columns:repeat(auto-fit,minmax(min(100%,27rem),1fr))}\n"
    ".card,figure{background:var(--card);border:1px solid var(--line);border-radius:8px}\n"
    ".card,figure{padding:0.8rem;margin:0;min-width:0}\n"
    "dl{display:flex;flex-wrap:wrap;gap:0.7rem 1.8rem;margin:0.9rem 0}\n"
    "dt{font-size:0.82rem;color:var(--muted)}\n"
    "dd{margin:0;font-size:1.25rem;font-weight:600;overflow-wrap:anywhere}\n"
    "table{width:100%;border-collapse:collapse}\n"
    "caption{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}\n"
    "th,td{padding:0.3rem 0.45rem;text-align:left;font-weight:inherit;vertical-align:top}\n"
    "td{overflow-wrap:anywhere}\n"
    "thead th{font-size:0.8rem;color:var(--muted);border-bottom:1px solid var(--line);vertical-align:bottom}\n"
    "tbody tr+tr>*{border-top:1px solid var(--line)}\n"
    ".n{text-align:right}\n"
    "td.n,.w{white-space:nowrap}\n"
    ".t{min-width:8rem}\n"
    ".wide{overflow-x:auto}\n"
    ".cross th,.cross td{padding-inline:0.2rem}\n"
    ".tree td:first-child{padding-left:calc(0.4rem + var(--d) * 0.55rem)}\n";
static const char plots[] =
    "figcaption{font-weight:600;display:flex;flex-wrap:wrap;gap:0.1rem 1rem;justify-content:space-between}\n"
    "figcaption>span{min-width:0;overflow-wrap:anywhere}\n"
    ".legend{display:flex;flex-wrap:wrap;gap:0 0.9rem;font-size:0.82rem;font-weight:400;color:var(--muted)}\n"
    ".legend svg{width:0.75rem;height:0.75rem;margin-right:0.3rem}\n"
    ".frame{display:flex;margin-top:0.4rem}\n"
    ".frame svg{overflow:visible;display:block}\n"
    ".area{flex:1;min-width:0}\n"
    "svg text{font-size:12px;fill:var(--muted)}\n"
    ".rule{stroke:var(--line)}\n"
    ".board{background:var(--paper);border:1px solid var(--line)}\n"
    ".board path{fill:var(--line)}\n"
    "svg.board text{font-size:7px;fill:var(--ink);text-anchor:middle}\n"
    ".bar{min-width:4.5rem;width:28%}\n"
    ".bar svg{display:block;width:100%;height:0.9rem;margin-top:0.25rem}\n"
    "rect{stroke:var(--card);stroke-width:1}\n"
    ".hit{fill:transparent;stroke:none}\n"
    ".line{stroke-width:2}\n"
    "summary{cursor:pointer;color:var(--muted);font-size:0.85rem;width:fit-content}\n";
static const char narrow_and_print[] =
    "@media (max-width:40rem){\n"
    "th,td{padding-inline:0.25rem}\n"
    ".bar{min-width:3.2rem;width:20%}\n"
    ".t{min-width:5.6rem}\n"
    ".recent .t{min-width:4.3rem}\n"
    ".names tr>:nth-child(5),.recent tr>:nth-child(5),.recent tr>:nth-child(7){display:none}\n"
    ".tree td:first-child{padding-left:calc(0.2rem + var(--d) * 0.3rem)}\n"
    "}\n"
    "@media print{\n"
    ":root{color-scheme:light;--paper:#fff;--card:#fff}\n"
    "html{font-size:11px}\n"
    "main{max-width:none;padding:0}\n"
    "figure,tr,dl{break-inside:avoid}\n"
    "h2,h3,thead{break-after:avoid}\n"
    "details{display:none}\n"
    ".wide{overflow:visible}\n"
    ".cross{font-size:9px}\n"
    ".t{min-width:4rem}\n"
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}\n"
    "}\n";

/* ---- text ---- */

static void put_byte(uint8_t byte, bool utf8)
{
    const char *escape = byte == '<'    ? "&lt;"
                         : byte == '>'  ? "&gt;"
                         : byte == '&'  ? "&amp;"
                         : byte == '"'  ? "&quot;"
                         : byte == '\'' ? "&#39;"
                                        : NULL;
    bool space = byte == '\t' || byte == '\n' || byte == '\r';
    char character[TOOL_CHARACTER_SIZE];
    if (escape)
        tool_put_string(escape);
    else if (space)
        tool_put_char(' ');
    else if (byte < 0x20 || byte == 0x7F || (!utf8 && byte >= 0x80 && stamma_windows_1252_read(byte) < 0xA0))
        tool_put_string("\357\277\275");
    else if (utf8)
        tool_put_char((char)byte);
    else
        tool_put(character, tool_text_character((char)byte, character));
}

/* Returns the size of a character that U+FFFD replaces at the beginning of UTF-8 text: one that changes the direction,
 * a control character from U+0080, or U+FFFE and U+FFFF, which XML excludes. Returns 0 for others. */
static size_t replaced_size(stamma_text text)
{
    unsigned point;
    const uint8_t *at = (const uint8_t *)text.data;
    if (text.size >= 2 && at[0] == 0xC2 && at[1] < 0xA0)
        return 2;
    if (text.size >= 3 && at[0] == 0xEF && at[1] == 0xBF && at[2] >= 0xBE)
        return 3;
    return tool_text_direction(text, &point);
}

void html_text(stamma_text text)
{
    bool utf8 = tool_text_is_utf8(text);
    for (size_t i = 0; i < text.size; i++) {
        size_t size = utf8 ? replaced_size((stamma_text){text.data + i, text.size - i}) : 0;
        if (size > 0)
            tool_put_string("\357\277\275");
        else
            put_byte((uint8_t)text.data[i], utf8);
        i += size > 0 ? size - 1 : 0;
    }
}

void html_string(const char *string)
{
    html_text(stamma_text_of(string));
}

/* ---- elements ---- */

void html_open(const char *element, const char *class)
{
    tool_put_char('<');
    tool_put_string(element);
    if (class) {
        tool_put_string(" class=\"");
        tool_put_string(class);
        tool_put_char('"');
    }
    tool_put_char('>');
}

void html_close(const char *element)
{
    tool_put_string("</");
    tool_put_string(element);
    tool_put_string(">\n");
}

void html_element(const char *element, const char *class, stamma_text text)
{
    html_open(element, class);
    html_text(text);
    html_close(element);
}

void html_section(const char *heading)
{
    html_open("section", NULL);
    html_element("h2", NULL, stamma_text_of(heading));
}

void html_begin(stamma_text title)
{
    tool_put_string("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
                    "<meta charset=\"utf-8\"/>\n<meta http-equiv=\"Content-Security-Policy\" "
                    "content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                    "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>");
    html_text(title);
    tool_put_string("</title>\n<style>\n");
    tool_put_string(colors);
    tool_put_string(layout);
    tool_put_string(plots);
    tool_put_string(narrow_and_print);
    tool_put_string("</style>\n</head>\n<body>\n<main>\n");
    html_element("h1", NULL, title);
}

void html_end(void)
{
    tool_put_string("</main>\n</body>\n</html>\n");
    tool_put_flush();
}

/* ---- tables ---- */

void html_table_begin(const char *caption, const char *const *headings, size_t count)
{
    html_open("table", NULL);
    html_element("caption", NULL, stamma_text_of(caption));
    tool_put_string("<thead><tr>");
    for (size_t i = 0; i < count; i++) {
        bool number = headings[i][0] == '#';
        tool_put_string(number ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">");
        html_string(headings[i] + number);
        tool_put_string("</th>");
    }
    tool_put_string("</tr></thead>\n<tbody>\n");
}

void html_table_end(void)
{
    tool_put_string("</tbody></table>\n");
}

void html_row_begin(void)
{
    tool_put_string("<tr>");
}

void html_row_end(void)
{
    tool_put_string("</tr>\n");
}

void html_cell(stamma_text text)
{
    tool_put_string("<td class=\"t\">");
    html_text(text);
    tool_put_string("</td>");
}

void html_cell_words(const char *words)
{
    tool_put_string("<td class=\"w\">");
    html_string(words);
    tool_put_string("</td>");
}

void html_cell_number(uint64_t number)
{
    char text[TOOL_NUMBER_SIZE];
    tool_put_string("<td class=\"n\">");
    tool_put_string(tool_number(number, text));
    tool_put_string("</td>");
}

void html_cell_real(double number, int digits, const char *unit)
{
    char text[64] = "";
    tool_put_string("<td class=\"n\">");
    if (isfinite(number))
        (void)snprintf(text, sizeof text, "%.*f%s", digits, number, unit);
    html_string(text);
    tool_put_string("</td>");
}
