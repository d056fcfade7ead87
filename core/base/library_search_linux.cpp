#include "core/base/library_search.h"

namespace highwater {

void searchOnlyTrustedFolders() {}

} // namespace highwater
