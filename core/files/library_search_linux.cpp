#include "core/files/library_search.h"

namespace highwater {

void searchOnlyTrustedFolders() {}

} // namespace highwater
