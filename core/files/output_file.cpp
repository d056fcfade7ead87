#include "core/files/output_file.h"

#include "core/base/text.h"

#include <fmt/format.h>
#include <system_error>

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
            fmt::format("Cannot write {}: it is {}, not a regular file. Choose another name.", utf8(path), what)};
}

Result<NewFile> createBeside(const std::filesystem::path& place, const std::string& ending,
                             OutputFile::Readers readers) {
    constexpr int kMostNames = 1000;
    for (int number = 1;; ++number) {
        auto path = place;
        if (number > 1) path += fmt::format(".{}", number);
        path += ending;
        auto file = OutputFile::createNew(path, readers);
        if (file.hasValue()) return NewFile{std::move(path), std::move(file).value()};
        std::error_code unknown;
        const bool isTaken = std::filesystem::exists(std::filesystem::symlink_status(path, unknown));
        if (!isTaken || number == kMostNames) return file.error();
    }
}

} // namespace highwater
