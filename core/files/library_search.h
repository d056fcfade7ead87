#pragma once

namespace highwater {

/// Windows: from now on libraries are only searched for in the program's own folder and in the system's, and programs
/// in the current folder last because others may be able to write to it. Does nothing on other systems. Call first in
/// main().
void searchOnlyTrustedFolders();

} // namespace highwater
