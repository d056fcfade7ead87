#include "core/files/owned_file_linux.h"

#include <unistd.h>

namespace highwater {

OwnedFile::~OwnedFile() {
    if (file_ >= 0) ::close(file_);
}

} // namespace highwater
