#include "core/files/owned_file_linux.h"

#include <fcntl.h>
#include <unistd.h>

namespace highwater {

OwnedFile::~OwnedFile() {
    if (file_ >= 0) ::close(file_);
}

OwnedFile openIn(const OwnedFile& folder, const char* name) {
    return OwnedFile(::openat(folder.number(), name, O_RDONLY | O_CLOEXEC));
}

} // namespace highwater
