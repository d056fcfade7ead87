#include "core/files/library_search.h"

#include <windows.h>

namespace highwater {

void searchOnlyTrustedFolders() {
    (void)::SetDefaultDllDirectories(LOAD_LIBRARY_SEARCH_APPLICATION_DIR | LOAD_LIBRARY_SEARCH_SYSTEM32);
    (void)::SetDllDirectoryW(L"");
    (void)::SetSearchPathMode(BASE_SEARCH_PATH_ENABLE_SAFE_SEARCHMODE | BASE_SEARCH_PATH_PERMANENT);
}

} // namespace highwater
