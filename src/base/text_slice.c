/* Converts strings to texts. */
#include "base/base.h"

stamma_text stamma_text_of(const char *string)
{
    return (stamma_text){string, string ? strlen(string) : 0};
}
