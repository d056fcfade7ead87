// Nobody is in a comment, which is not refused.
const char* kSentences[] = {
    "{} is no longer recorded.",
    "There were so many events that some were lost.",
    "SELECT what FROM losses WHERE nobody = 1",
    "what is",
};
static_assert(sizeof(Row) == 16, "somebody relies on what is in the file");
