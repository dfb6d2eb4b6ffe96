/* SPDX-License-Identifier: MIT */
/* Reads a command line according to a table of options, and prints the help from the same table. */
#include "shared/tool.h"

void tool_option_print(char letter, const char *name, const char *value, const char *help)
{
    char form[64];
    char dash[4] = {letter ? '-' : ' ', letter ? letter : ' ', letter ? ',' : ' ', 0};
    (void)snprintf(form, sizeof form, "%s --%s%s%s", dash, name, value ? " " : "", value ? value : "");
    printf("  %-24s ", form);
    /* indent the further lines of an option's help */
    for (; *help; help++) {
        putchar(*help);
        if (*help == '\n')
            printf("%27s", "");
    }
    putchar('\n');
}

static void print_help(const tool_usage *usage)
{
    bool strict = false;
    printf("usage: stamma %s [OPTION...]%s%s\n\n%s\n\noptions:\n", usage->command, *usage->operands ? " " : "",
           usage->operands, usage->text);
    for (size_t i = 0; i < usage->option_count; i++) {
        const tool_option *option = &usage->options[i];
        strict |= option->name && strcmp(option->name, "strict") == 0;
        if (option->help && !option->is_condition)
            tool_option_print(option->letter, option->name, option->value, option->help);
    }
    tool_option_print('h', "help", NULL, "this text");
    if (strstr(usage->operands, "CONDITIONS"))
        puts("\nconditions, such as --player Tal --date 1960..1969: stamma help conditions");
    puts(strict ? "\nexit status: 0 done, 2 error, 3 --strict and something was kept as text or skipped"
                : "\nexit status: 0 done or found, 1 nothing found, 2 error");
}

static int misuse(const tool_usage *usage)
{
    (void)fprintf(stderr, "See stamma %s --help.\n", usage->command);
    return TOOL_ERROR;
}

static bool add_to_list(const tool_option *option, const char *value, const char *spelled)
{
    size_t used = strlen(option->list);
    int size = snprintf(option->list + used, option->list_size - used, "%s%s", used > 0 ? "," : "", value);
    if (size >= 0 && (size_t)size < option->list_size - used)
        return true;
    tool_say(NULL, "option %s: its values are too long", spelled);
    return false;
}

/* Reads a decimal number, with an optional suffix K, M, G or T if `scaled`. */
static bool read_number(const char *text, bool scaled, uint64_t *value)
{
    static const char units[] = "kmgt";
    uint64_t number = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (number > (UINT64_MAX - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    if (at == text)
        return false;
    const char *unit = scaled && *at ? strchr(units, *at | 0x20) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (at[unit ? 1 : 0] != 0 || number > UINT64_MAX >> shift)
        return false;
    *value = number << shift;
    return true;
}

bool tool_values_add(tool_values *values, const char *name, const char *text)
{
    tool_value *list = realloc(values->list, (values->count + 1) * sizeof *list);
    if (!list)
        return tool_fail_memory(NULL);
    values->list = list;
    list[values->count++] = (tool_value){name, text};
    return true;
}

/* Stores a value; NULL: the option is a flag. `spelled` is the option as the user wrote it, for messages. */
static bool set_option(const tool_option *option, const char *spelled, const char *value)
{
    if (option->values)
        return tool_values_add(option->values, option->name, value);
    if (!value)
        *option->flag = true;
    else if (option->list)
        return add_to_list(option, value, spelled);
    else if (option->text)
        *option->text = value;
    else if (!read_number(value, option->size != NULL, option->size ? option->size : option->number)) {
        tool_say(NULL, "option %s: \"%s\" is not a %s", spelled, value,
                 option->size ? "size such as 512M" : "valid number");
        return false;
    } else if (option->size && *option->size < option->least) {
        tool_say(NULL, "option %s must be at least %" PRIu64 "M", spelled, option->least >> 20);
        return false;
    }
    return true;
}

/* The state of reading one command line. */
typedef struct parser {
    const tool_usage *usage;
    char **argv;
    int argc;
    int next; /* next argument to read */
    bool help;
} parser;

static bool wants_value(const tool_option *option)
{
    return option->value != NULL;
}

/* Reads the value of an option from the same argument, or otherwise from the next argument. */
static bool take_value(parser *p, const tool_option *option, const char *spelled, const char *attached)
{
    if (!attached && p->next < p->argc)
        attached = p->argv[p->next++];
    if (!attached) {
        tool_say(NULL, "option %s needs a value: %s", spelled, option->value);
        return false;
    }
    return set_option(option, spelled, attached);
}

static bool is_name(const char *name, const char *given, size_t length)
{
    return name && strlen(name) == length && memcmp(name, given, length) == 0;
}

/* Finds an option by its name, or by its earlier name; NULL: there is none. */
static const tool_option *find_long(const tool_usage *usage, const char *name, size_t length)
{
    for (size_t i = 0; i < usage->option_count; i++)
        if (is_name(usage->options[i].name, name, length))
            return &usage->options[i];
    for (size_t i = 0; i < usage->option_count; i++)
        if (is_name(usage->options[i].earlier, name, length))
            return &usage->options[i];
    return NULL;
}

/* Options of other programs and commands, the options that they mean here, and what is before and after the value. */
static const struct {
    const char *other, *name, *before, *after;
} others[] = {{"since", "date", "", ".."}, {"until", "date", "..", ""},    {"from", "date", "", ".."},
              {"to", "date", "..", ""},    {"year", "date", "", ""},       {"elo", "rating", "", ".."},
              {"name", "player", "", ""},  {"min-elo", "rating", "", ".."}};

/* Suggests the option of this command for an option of other programs. Returns false if there is none. */
static bool miss_other(const parser *p, const char *name, size_t length, const char *attached)
{
    const char *value = attached ? attached : p->next < p->argc ? p->argv[p->next] : "";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (!is_name(others[i].other, name, length) || !find_long(p->usage, others[i].name, strlen(others[i].name)))
            continue;
        const bool bare = !*value || value[0] == '-', is_range = bare || strstr(value, "..");
        const char *quote = strchr(value, ' ') ? "\"" : "";
        tool_say(NULL, "%s has no option --%s; did you mean --%s%s%s%s%s%s%s?", p->usage->command, others[i].other,
                 others[i].name, bare ? "" : " ", quote, is_range ? "" : others[i].before, bare ? "" : value,
                 is_range ? "" : others[i].after, quote);
        return true;
    }
    return false;
}

static void miss_long(const tool_usage *usage, const char *name, size_t length)
{
    tool_nearest nearest = {.word = name, .length = length};
    for (size_t i = 0; i < usage->option_count; i++)
        if (usage->options[i].help)
            tool_nearest_try(&nearest, usage->options[i].name);
    tool_nearest_try(&nearest, "help");
    tool_say(NULL, "%s has no option --%.*s%s%s%s", usage->command, (int)length, name,
             nearest.name ? "; did you mean --" : "", nearest.name ? nearest.name : "", nearest.name ? "?" : "");
}

/* Reads options that every command with --format or --json accepts: "--csv" means "--format csv", and "--format json"
 * means "--json". Returns false if this is another option. */
static bool read_format(parser *p, const char *name, size_t length, const char *attached, bool *right)
{
    static const char *const formats[] = {"json", "csv", "tsv", "pgn"};
    const tool_option *format = find_long(p->usage, "format", 6), *json = find_long(p->usage, "json", 4);
    for (size_t i = 0; i < sizeof formats / sizeof *formats && format && !attached; i++)
        if (is_name(formats[i], name, length))
            return *right = set_option(format, "--format", formats[i]), true;
    if (format || !json || !is_name("format", name, length))
        return false;
    const char *value = attached ? attached : p->next < p->argc ? p->argv[p->next++] : "";
    *right = strcmp(value, "json") == 0;
    if (*right)
        *json->flag = true;
    else
        tool_say(NULL, "%s has no format \"%s\"; the format is json", p->usage->command, value);
    return true;
}

/* Reads "--name", "--name=value" or "--name" "value". */
static bool read_long(parser *p, const char *argument)
{
    const char *name = argument + 2;
    size_t length = strcspn(name, "=");
    const char *attached = name[length] ? name + length + 1 : NULL;
    bool right = false;
    if (strcmp(name, "help") == 0)
        return p->help = true;
    const tool_option *option = find_long(p->usage, name, length);
    if (!option) {
        if (!read_format(p, name, length, attached, &right) && !miss_other(p, name, length, attached))
            miss_long(p->usage, name, length);
        return right;
    }
    if (wants_value(option)) {
        char spelled[40];
        (void)snprintf(spelled, sizeof spelled, "--%s", option->name);
        return take_value(p, option, spelled, attached);
    }
    if (!attached)
        return set_option(option, argument, NULL);
    tool_say(NULL, "option --%s has no value", option->name);
    return false;
}

/* Reads "-2" as "--level 2" if the command has levels. */
static bool set_level(const tool_usage *usage, char letter)
{
    for (size_t i = 0; i < usage->option_count && letter >= '1' && letter <= '9'; i++)
        if (strcmp(usage->options[i].name, "level") == 0 && usage->options[i].number) {
            *usage->options[i].number = (uint64_t)(letter - '0');
            return true;
        }
    return false;
}

/* Reads "-q", "-fq", "-oOUT" or "-o" "OUT". */
static bool read_short(parser *p, const char *argument)
{
    for (const char *letter = argument + 1; *letter; letter++) {
        const char spelled[3] = {'-', *letter, 0};
        const tool_option *option = NULL;
        for (size_t i = 0; i < p->usage->option_count; i++)
            if (p->usage->options[i].letter == *letter)
                option = &p->usage->options[i];
        if (*letter == 'h')
            return p->help = true;
        if (!option && set_level(p->usage, *letter))
            continue;
        if (!option) {
            tool_say(NULL, "%s has no option %s", p->usage->command, spelled);
            return false;
        }
        if (wants_value(option))
            return take_value(p, option, spelled, letter[1] ? letter + 1 : NULL);
        if (!set_option(option, spelled, NULL))
            return false;
    }
    return true;
}

/* Reads all arguments and moves operands to the front of argv. This never overwrites an argument that is not read yet.
 */
static bool read_arguments(parser *p, int *operands)
{
    bool only_operands = false;
    *operands = 0;
    while (p->next < p->argc && !p->help) {
        char *argument = p->argv[p->next++];
        if (only_operands || argument[0] != '-' || argument[1] == 0)
            p->argv[(*operands)++] = argument;
        else if (strcmp(argument, "--") == 0)
            only_operands = true;
        else if (!(argument[1] == '-' ? read_long(p, argument) : read_short(p, argument)))
            return false;
    }
    return true;
}

bool tool_options_read(const tool_usage *usage, int argc, char **argv, int *operands, int *status)
{
    parser p = {usage, argv, argc, 1, false};
    if (!read_arguments(&p, operands)) {
        *status = misuse(usage);
        return false;
    }
    if (p.help) {
        print_help(usage);
        *status = TOOL_DONE;
        return false;
    }
    if (*operands >= usage->operands_min && (usage->operands_max < 0 || *operands <= usage->operands_max))
        return true;
    if (*operands == 0 && strncmp(usage->operands, "ARCHIVE", 7) == 0)
        tool_say(NULL, "%s needs the name of an archive: stamma %s %s", usage->command, usage->command,
                 usage->operands);
    else if (*operands < usage->operands_min)
        tool_say(NULL, "%s needs %s", usage->command, usage->operands);
    else
        tool_say(NULL, "%s: one too many: \"%s\"", usage->command, argv[usage->operands_max]);
    *status = misuse(usage);
    return false;
}
