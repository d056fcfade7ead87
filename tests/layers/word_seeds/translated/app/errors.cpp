#include "core/check/nobody.h"

namespace highwater {

// Nobody reads this comment: only strings count.
Error errors[] = {
    Error("{} is no profile that Highwater reads."),
    Error("The mark \"{}\" lies before the trace."),
    Error("Nothing is being recorded: somebody else ended the recording."),
    Error("{} is a database of SQLite."),
    Error("The fleet knows the run {}."),
    Error("fleet {} has no use for {}."),
    Error("The file was copied only in part."),
    Error("The picture belongs to no process of the trace."),
    Error("Bytes that nothing refers to any more."),
    Error("Blocks that came to hang on the variable {}"),
};

} // namespace highwater
