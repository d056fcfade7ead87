#include "core/export/explain/shell_words.h"

namespace highwater::exports {

Shell ownShell() { return Shell::Windows; }

} // namespace highwater::exports
