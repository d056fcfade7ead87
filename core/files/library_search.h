#pragma once

namespace highwater {

/// Windows: from now on libraries are looked for in the program's own folder and in the system's alone, and programs in
/// the current folder last: it may be one that somebody else fills. Elsewhere nothing is to be done. To be called first
/// in main().
void searchOnlyTrustedFolders();

} // namespace highwater
