/* SPDX-License-Identifier: MIT */
/* Plots in SVG. Horizontal places are in percent of the width, so that a plot fits any width and its texts keep their
 * size. Vertical places are in pixels. The font is the reader's: a text has at most CHARACTER pixels for each byte, and
 * texts of both axes are never above each other, because the height of a font's lines is not known. */
#include "reporting/html_page.h"

#include <math.h>

enum {
    HEIGHT = 210,
    TOP = 8,
    BOTTOM = 186,    /* vertical place of the lowest value */
    CHARACTER = 8,   /* width of a character of a wide font of 12 pixels */
    AXIS_MARGIN = 8, /* between the labels of the vertical axis and the plot */
    NARROWEST = 270  /* width of the plot on a narrow screen, for the number of labels */
};

/* The values from `low` to `high` that the vertical axis shows, with a line every `step`. */
typedef struct scale {
    double low, high, step;
} scale;

static double value_at(const html_plot *p, size_t row, size_t series)
{
    return p->values[row * p->series_count + series];
}

/* Returns 1, 2 or 5 times a power of ten: the step between at most five lines across `span`. Without decimals, at least
 * 1. */
static double step_of(double span, int digits)
{
    static const double steps[] = {1, 2, 5};
    double power = pow(10, floor(log10(span / 5)));
    double step = 10 * power;
    for (int i = 2; i >= 0; i--)
        if (span / (steps[i] * power) <= 5)
            step = steps[i] * power;
    return digits == 0 && step < 1 ? 1 : step;
}

static scale scale_between(double low, double high, int digits)
{
    if (!(high > low))
        high = low + 1;
    double step = step_of(high - low, digits);
    return (scale){floor(low / step) * step, high, step};
}

static double height_of(const scale *s, double value)
{
    return (BOTTOM - TOP) * (value - s->low) / (s->high - s->low);
}

/* ---- pieces of SVG ---- */

static void put(const char *format, double a, double b, double c, double d)
{
    char text[256];
    (void)snprintf(text, sizeof text, format, a, b, c, d);
    tool_put_string(text);
}

/* Writes a value with separators of thousands if it has no decimals. */
static void write_value(const html_plot *p, double value, char text[64])
{
    char number[TOOL_NUMBER_SIZE];
    if (!isfinite(value))
        (void)snprintf(text, 64, "?");
    else if (p->digits == 0)
        (void)snprintf(text, 64, "%s%s", tool_number((uint64_t)llround(value), number), p->unit ? p->unit : "");
    else
        (void)snprintf(text, 64, "%.*f%s", p->digits, value, p->unit ? p->unit : "");
}

static void put_fill(const char *property, html_color color)
{
    char text[40];
    (void)snprintf(text, sizeof text, " style=\"%s:var(--c%d)\"", property, (int)color);
    tool_put_string(text);
}

/* Prints the text that a browser shows when the pointer is at a row. */
static void put_title(const html_plot *p, size_t row)
{
    char text[64];
    tool_put_string("<title>");
    html_string(p->labels[row]);
    for (size_t i = 0; i < p->series_count; i++) {
        write_value(p, value_at(p, row, i), text);
        tool_put_string(i == 0 ? ": " : ", ");
        html_string(p->series[i].name);
        tool_put_char(' ');
        html_string(text);
    }
    tool_put_string("</title>");
}

/* Prints the area that belongs to a row. */
static void put_hit(const html_plot *p, size_t row)
{
    const double step = 100.0 / (double)p->rows;
    put("<rect class=\"hit\" x=\"%.3f%%\" y=\"%.0f\" width=\"%.3f%%\" height=\"%.0f\"/>", (double)row * step, 0, step,
        BOTTOM);
}

/* ---- frame: axes, legend, table ---- */

/* Returns the end of the axis, a little above the highest value because the steps to it are rounded. */
static double axis_end(const scale *s)
{
    return s->high + s->step / 1000;
}

/* Prints the labels of the vertical axis, with room for the longest label. */
static void put_axis_labels(const html_plot *p, const scale *s)
{
    char text[64];
    size_t longest = 0;
    for (double value = s->low; value <= axis_end(s); value += s->step) {
        write_value(p, value, text);
        longest = strlen(text) > longest ? strlen(text) : longest;
    }
    const double width = (double)(CHARACTER * longest);
    put("<svg width=\"%.0f\" height=\"%.0f\" aria-hidden=\"true\">", width + AXIS_MARGIN, HEIGHT, 0, 0);
    for (double value = s->low; value <= axis_end(s); value += s->step) {
        write_value(p, value, text);
        put("<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">", width, BOTTOM - height_of(s, value) + 4, 0, 0);
        html_string(text);
        tool_put_string("</text>");
    }
    tool_put_string("</svg>\n");
}

static void put_axis(const html_plot *p, const scale *s)
{
    tool_put_string("<div class=\"frame\">");
    put_axis_labels(p, s);
    put("<svg class=\"area\" width=\"100%%\" height=\"%.0f\" role=\"img\" aria-label=\"", HEIGHT, 0, 0, 0);
    html_string(p->title);
    tool_put_string("; the table below has the numbers\">");
    for (double value = s->low; value <= axis_end(s); value += s->step) {
        double y = BOTTOM - height_of(s, value);
        put("<line class=\"rule\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>", y, y, 0, 0);
    }
    tool_put_char('\n');
}

static double label_width(const html_plot *p, size_t row)
{
    return (double)(CHARACTER * strlen(p->labels[row]));
}

/* Prints the labels of as many rows as fit on a narrow screen. The first label does not begin at the vertical axis. */
static void put_labels(const html_plot *p)
{
    enum { BEFORE = 4, AFTER = 12 };
    const double step = 100.0 / (double)p->rows, pixels = (double)NARROWEST / (double)p->rows;
    size_t longest = 0, first = 0;
    for (size_t i = 0; i < p->rows; i++)
        longest = strlen(p->labels[i]) > longest ? strlen(p->labels[i]) : longest;
    while (first + 1 < p->rows && label_width(p, first) / 2 > ((double)first + 0.5) * pixels + BEFORE)
        first++;
    const size_t every = 1 + p->rows * CHARACTER * (longest + 1) / NARROWEST;
    for (size_t i = first; i < p->rows; i += every) {
        if (i > first && label_width(p, i) / 2 > ((double)(p->rows - i) - 0.5) * pixels + AFTER)
            continue; /* the text would end beyond the plot */
        put("<text x=\"%.3f%%\" y=\"%.0f\" text-anchor=\"middle\">", ((double)i + 0.5) * step, HEIGHT - 6, 0, 0);
        html_string(p->labels[i]);
        tool_put_string("</text>");
    }
}

static void put_caption(const html_plot *p)
{
    tool_put_string("<figcaption><span>");
    html_string(p->title);
    tool_put_string("</span>");
    if (p->series_count > 1) {
        tool_put_string("<span class=\"legend\" aria-hidden=\"true\">");
        for (size_t i = 0; i < p->series_count; i++) {
            tool_put_string("<span><svg><rect width=\"100%\" height=\"100%\"");
            put_fill("fill", p->series[i].color);
            tool_put_string("/></svg>");
            html_string(p->series[i].name);
            tool_put_string("</span>");
        }
        tool_put_string("</span>");
    }
    tool_put_string("</figcaption>\n");
}

static void put_table(const html_plot *p)
{
    tool_put_string("<details><summary>As a table</summary>\n<table><thead><tr><th scope=\"col\">");
    html_string(p->rows_name);
    for (size_t i = 0; i < p->series_count; i++) {
        tool_put_string("</th><th scope=\"col\" class=\"n\">");
        html_string(p->series[i].name);
    }
    tool_put_string("</th></tr></thead>\n<tbody>\n");
    for (size_t row = 0; row < p->rows; row++) {
        char text[64];
        tool_put_string("<tr><th scope=\"row\">");
        html_string(p->labels[row]);
        tool_put_string("</th>");
        for (size_t i = 0; i < p->series_count; i++) {
            write_value(p, value_at(p, row, i), text);
            html_open("td", "n");
            html_string(text);
            tool_put_string("</td>");
        }
        tool_put_string("</tr>\n");
    }
    tool_put_string("</tbody></table></details>\n");
}

/* Prints a figure, whose contents `put_row` prints row by row. */
static void put_figure(const html_plot *p, const scale *s,
                       void (*put_row)(const html_plot *p, const scale *s, size_t row))
{
    tool_put_string("<figure>");
    put_caption(p);
    if (p->rows == 0) {
        html_element("p", "muted", stamma_text_of("Not known of these games."));
        html_close("figure");
        return;
    }
    put_axis(p, s);
    for (size_t row = 0; row < p->rows; row++)
        put_row(p, s, row);
    put_labels(p);
    tool_put_string("</svg></div>\n");
    put_table(p);
    html_close("figure");
}

/* ---- columns ---- */

static void put_column(const html_plot *p, const scale *s, size_t row)
{
    const double step = 100.0 / (double)p->rows, width = step * 0.76 < 9 ? step * 0.76 : 9;
    double sum = 0;
    tool_put_string("<g>");
    put_title(p, row);
    put_hit(p, row);
    for (size_t i = 0; i < p->series_count; i++) {
        double value = value_at(p, row, i);
        if (!(value > 0))
            continue;
        sum += value;
        put("<rect x=\"%.3f%%\" y=\"%.2f\" width=\"%.3f%%\" height=\"%.2f\"", ((double)row + 0.5) * step - width / 2,
            BOTTOM - height_of(s, sum), width, height_of(s, s->low + value));
        put_fill("fill", p->series[i].color);
        tool_put_string("/>");
    }
    tool_put_string("</g>\n");
}

void html_columns(const html_plot *plot)
{
    double most = 0;
    for (size_t row = 0; row < plot->rows; row++) {
        double sum = 0;
        for (size_t i = 0; i < plot->series_count; i++)
            sum += value_at(plot, row, i) > 0 ? value_at(plot, row, i) : 0;
        most = sum > most ? sum : most;
    }
    const scale s = scale_between(0, most, plot->digits);
    put_figure(plot, &s, put_column);
}

/* ---- lines ---- */

/* Prints the point of each series at a row, and the line to it from the nearest row before that has a value. */
static void put_points(const html_plot *p, const scale *s, size_t row)
{
    const double step = 100.0 / (double)p->rows;
    tool_put_string("<g>");
    put_title(p, row);
    put_hit(p, row);
    for (size_t i = 0; i < p->series_count; i++) {
        size_t before = row;
        const double value = value_at(p, row, i), x = ((double)row + 0.5) * step, y = BOTTOM - height_of(s, value);
        if (!isfinite(value))
            continue;
        while (before > 0 && (before == row || !isfinite(value_at(p, before, i))))
            before--;
        if (before < row && isfinite(value_at(p, before, i))) {
            put("<line class=\"line\" x1=\"%.3f%%\" y1=\"%.2f\" x2=\"%.3f%%\" y2=\"%.2f\"",
                ((double)before + 0.5) * step, BOTTOM - height_of(s, value_at(p, before, i)), x, y);
            put_fill("stroke", p->series[i].color);
            tool_put_string("/>");
        }
        put("<circle cx=\"%.3f%%\" cy=\"%.2f\" r=\"%.1f\"", x, y, p->rows > 60 ? 1.5 : 3, 0);
        put_fill("fill", p->series[i].color);
        tool_put_string("/>");
    }
    tool_put_string("</g>\n");
}

void html_lines(const html_plot *plot)
{
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < plot->rows * plot->series_count; i++) {
        if (!isfinite(plot->values[i]))
            continue;
        low = plot->values[i] < low ? plot->values[i] : low;
        high = plot->values[i] > high ? plot->values[i] : high;
    }
    /* The axis begins with 0 unless the differences would then be too small to see. */
    const scale s = scale_between(isfinite(low) && low > high / 2 ? low : 0, high, plot->digits);
    put_figure(plot, &s, put_points);
}

/* ---- bars in tables ---- */

void html_cell_bar(const html_series *series, const uint64_t *values, size_t count)
{
    double x = 0;
    uint64_t total = 0;
    char number[TOOL_NUMBER_SIZE];
    tool_put_string("<td class=\"bar\"><svg role=\"img\" aria-label=\"");
    for (size_t i = 0; i < count; i++) {
        html_string(i > 0 ? ", " : "");
        html_string(series[i].name);
        tool_put_char(' ');
        tool_put_string(tool_number(values[i], number));
        total += values[i];
    }
    tool_put_string("\">");
    for (size_t i = 0; i < count; i++) {
        if (values[i] == 0)
            continue;
        double width = 100.0 * (double)values[i] / (double)total;
        put("<rect x=\"%.3f%%\" width=\"%.3f%%\" height=\"100%%\"", x, width, 0, 0);
        put_fill("fill", series[i].color);
        tool_put_string("/>");
        x += width;
    }
    tool_put_string("</svg></td>");
}
