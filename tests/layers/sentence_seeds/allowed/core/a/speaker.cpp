#include "core/a/no such sentence here.h"
// A comment says "nothing at all of this".
const char* kSaid = "The first half " // with a comment between
                    "and the second.";
const char* kRaw = R"(this is not a sentence)";
const char* kWord = "word";
char quote = '"';
const char* kQuoted = "It has \"quotes\" in it.";
static_assert(true, "never said to anybody");
