#include "core/export/shell_words.h"

namespace highwater::exports {

Shell ownShell() { return Shell::Windows; }

} // namespace highwater::exports
