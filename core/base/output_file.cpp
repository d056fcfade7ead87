#include "core/base/output_file.h"

#include "core/base/text.h"

#include <fmt/format.h>

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

Error OutputFile::notAFile(const std::filesystem::path& path, const char* what) {
    return {ErrorKind::Io,
            fmt::format("Cannot write {}: it is {}, not an ordinary file. Choose another name.", utf8(path), what)};
}

} // namespace highwater
