#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Pages of the command's HTML writer: every text is escaped, the page is well-formed XML, and the plots show the values.
# A program of this test writes the page; Python's XML parser reads it.
set -eu
[ -z "${SANITIZE:-}" ] || { echo "the objects of the command need the sanitizers' flags"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/page.c" <<'PROGRAM'
#include <math.h>

#include "reporting/html_page.h"

static const char hostile[] = "<script>\"&'\xE2\x80\xAE\x01\x7F\n]]>"; /* U+202E changes the direction of text */

int main(void)
{
    static const html_series series[] = {{"won", HTML_WON}, {hostile, HTML_LOST}};
    static const char *const labels[] = {"2019", "2020", hostile};
    static const char *const headings[] = {"name", "#games", "#score", "results"};
    static const double values[] = {1, 2, 30, NAN, 1200, 34.4};
    html_plot plot = {.title = hostile, .rows_name = hostile, .series_count = 2, .series = series, .rows = 3,
                      .labels = labels, .values = values};
    html_begin(stamma_text_of(hostile));
    html_section(hostile);
    html_element("p", "muted", stamma_text_of("S\xF6hne \x81")); /* Windows-1252, with a byte that has no character */
    html_element("p", NULL, stamma_text_of("\xC2\x85\xEF\xBF\xBF\xF0\x9F\x99\x82"));
    html_table_begin(hostile, headings, 4);
    html_row_begin();
    html_cell(stamma_text_of(hostile));
    html_cell_number(1234567);
    html_cell_real(12.345, 1, " %");
    html_cell_bar(series, (const uint64_t[]){3, 1}, 2);
    html_row_end();
    html_table_end();
    html_close("section");
    html_columns(&plot);
    plot.unit = " s";
    plot.digits = 1;
    html_lines(&plot);
    plot.rows = 0;
    html_columns(&plot);
    html_end();
    return !tool_print_finish();
}
PROGRAM
# shellcheck disable=SC2086
$CC -std=c11 -Wall -Werror -Iinclude -Itools/stamma "$work/page.c" "$BUILD/tools.a" "$BUILD/libstamma.a" ${LDFLAGS:-} \
    -lzstd -lbz2 -lxxhash -lz -llzma -lmd -lpthread -lm -o "$work/page"
"$work/page" >"$work/page.html"
python3 - "$work/page.html" <<'PYTHON'
import re
import sys
import xml.etree.ElementTree as tree

text = open(sys.argv[1], encoding="utf-8").read()
root = tree.fromstring(text.split("\n", 1)[1])
X = "{http://www.w3.org/1999/xhtml}"
HOSTILE = "<script>\"&'\uFFFD\uFFFD\uFFFD ]]>"


def same(got, wanted, what):
    if got != wanted:
        sys.exit("%s: %r, not %r" % (what, got, wanted))


def texts(element):
    return ["".join(one.itertext()) for one in root.iter(X + element)]


same([one.tag for one in root.iter() if one.tag.endswith("script")], [], "scripts")
same(re.findall(r'\b(?:src|href|url) *[=(]|@import|\bon[a-z]+ *=', text), [], "references and listeners")
for element in ("title", "h1", "h2", "caption"):
    same(texts(element)[0], HOSTILE, element)
same(texts("p"), ["S\u00f6hne \uFFFD", "\uFFFD\uFFFD\U0001F642", "Not known of these games."], "paragraphs")
cells = texts("td")
same(cells[:4], [HOSTILE, "1,234,567", "12.3 %", ""], "cells")
bar = next(root.iter(X + "td")).tag and [one for one in root.iter(X + "td") if one.get("class") == "bar"][0]
same([one.get("width") for one in bar.iter(X + "rect")], ["75.000%", "25.000%"], "widths of a bar")
same(bar.find(X + "svg").get("aria-label"), "won 3, %s 1" % HOSTILE, "name of a bar")
columns, lines, empty = root.iter(X + "figure")
same("".join(columns.find(X + "figcaption").itertext()), HOSTILE + "won" + HOSTILE, "caption")
same([[cell.text for cell in row] for row in columns.iter(X + "tr")][1:],
     [["2019", "1", "2"], ["2020", "30", "?"], [HOSTILE, "1,200", "34"]], "table of the columns")
same([[cell.text for cell in row] for row in lines.iter(X + "tr")][2], ["2020", "30.0 s", "?"], "table of the lines")
same(empty.find(X + "svg"), None, "plot without rows")

# The labels of the axis define the scale of rectangles and points.
def axis(figure):
    labels = [one for one in figure.find(X + "div").find(X + "svg").iter(X + "text")]
    rows = [(float(one.text.replace(",", "").split()[0]), float(one.get("y")) - 4) for one in labels]
    (low, bottom), (high, top) = rows[0], rows[-1]
    return bottom, (bottom - top) / (high - low), low


bottom, scale, low = axis(columns)
same(low, 0, "lowest value of columns")
drawn = [one for one in columns.findall(X + "div")[0].iter(X + "rect") if one.get("class") != "hit"]
for rect, value in zip(drawn, [1, 2, 30, 1200, 34.4], strict=True):
    assert abs(float(rect.get("height")) - scale * value) < 0.2, (rect.attrib, value, scale)
assert abs(float(drawn[4].get("y")) + float(drawn[4].get("height")) - float(drawn[3].get("y"))) < 0.02, "not stacked"
bottom, scale, low = axis(lines)
for circle, value in zip(lines.iter(X + "circle"), [1, 2, 30, 1200, 34.4], strict=True):
    assert abs(bottom - float(circle.get("cy")) - scale * (value - low)) < 0.2, (circle.attrib, value)
same(len([one for one in lines.iter(X + "line") if one.get("class") == "line"]), 3, "segments of lines")
PYTHON
