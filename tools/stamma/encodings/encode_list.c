/* SPDX-License-Identifier: MIT */
/* stamma encode --list: the encodings by name. */
#include "encodings/encode.h"

static const char *kind_text(stamma_codec_kind kind)
{
    return kind == STAMMA_CODEC_MOVE ? "move" : kind == STAMMA_CODEC_POSITION ? "move in position" : "game";
}

/* Returns the properties of an encoding of moves that encodings of positions have, too. */
static stamma_position_codec_info common(const stamma_codec_info *info)
{
    return (stamma_position_codec_info){.name = info->name,
                                        .source = info->source,
                                        .description = info->description,
                                        .is_text = info->is_text,
                                        .is_partial = info->is_partial};
}

/* Calls `take` with each requested encoding and what it encodes. */
static void each(const encode_form *form, void (*take)(const char *kind, stamma_position_codec_info info))
{
    const stamma_codec *codec;
    const stamma_position_codec *of_positions;
    for (size_t n = 0; (codec = stamma_codec_at(n)) != NULL; n++) {
        stamma_codec_info info = stamma_codec_describe(codec);
        if (encode_wants(form, info.name))
            take(kind_text(info.kind), common(&info));
    }
    for (size_t n = 0; (of_positions = stamma_position_codec_at(n)) != NULL; n++) {
        stamma_position_codec_info info = stamma_position_codec_describe(of_positions);
        if (encode_wants(form, info.name))
            take("position", info);
    }
}

static void print_row(const char *kind, stamma_position_codec_info info)
{
    (void)kind;
    printf(*info.source ? "%-24s  %s (%s)\n" : "%-24s  %s\n", info.name, info.description, info.source);
}

static void put_object(const char *kind, stamma_position_codec_info info)
{
    tool_json_open(NULL, '{');
    tool_json_string("encoding", info.name);
    tool_json_string("of", kind);
    tool_json_string("source", info.source);
    tool_json_string("description", info.description);
    tool_json_bool("text", info.is_text);
    tool_json_bool("partial", info.is_partial);
    tool_json_close('}');
}

static void print_object(const char *kind, stamma_position_codec_info info)
{
    put_object(kind, info);
    tool_json_end();
}

void encode_put_list(const encode_form *form)
{
    each(form, put_object);
}

int encode_list(const encode_form *form)
{
    each(form, form->json ? print_object : print_row);
    return TOOL_DONE;
}
