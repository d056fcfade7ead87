#include "core/base/output_file.h"

namespace highwater {

Result<void> OutputFile::append(ByteSpan bytes) {
    if (auto written = writeAt(size_, bytes); !written.hasValue()) {
        cutTo(size_);
        return written;
    }
    size_ += bytes.size();
    return {};
}

Result<void> OutputFile::overwrite(std::uint64_t offset, ByteSpan bytes) {
    if (offset > size_ || bytes.size() > size_ - offset) {
        return Error{ErrorKind::Usage, "Only bytes that are already in the file can be overwritten."};
    }
    return writeAt(offset, bytes);
}

} // namespace highwater
