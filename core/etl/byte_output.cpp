#include "core/etl/etl_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

namespace highwater::etl {
namespace {

class FileOutput final : public ByteOutput {
  public:
    explicit FileOutput(std::filesystem::path path) : path_(std::move(path)) {}

    Result<void> open() {
        errno = 0;
        stream_.open(path_, std::ios::in | std::ios::out | std::ios::trunc | std::ios::binary);
        if (!stream_) return systemError("create");
        return {};
    }

    Result<void> append(ByteSpan bytes) override { return writeAt(end_, bytes); }

    Result<void> overwrite(std::uint64_t offset, ByteSpan bytes) override {
        if (offset > end_ || bytes.size() > end_ - offset) {
            return Error{ErrorKind::Usage, "Only bytes that are already in the file can be overwritten."};
        }
        return writeAt(offset, bytes);
    }

  private:
    Result<void> writeAt(std::uint64_t offset, ByteSpan bytes) {
        errno = 0;
        if (position_ != offset) stream_.seekp(static_cast<std::streamoff>(offset));
        stream_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        stream_.flush(); // what was flushed must be in the file even if this program dies
        if (!stream_) return systemError("write");
        position_ = offset + bytes.size();
        end_ = std::max(end_, position_);
        return {};
    }

    [[nodiscard]] Error systemError(const char* action) const {
        const int code = errno;
        const auto reason =
            code != 0 ? std::generic_category().message(code) : std::string("the system gave no reason");
        const auto kind = code == EACCES || code == EPERM || code == EROFS ? ErrorKind::AccessDenied
                          : code == ENOENT                                 ? ErrorKind::NotFound
                                                                           : ErrorKind::Io;
        const auto text = path_.u8string();
        return Error{kind, fmt::format("Cannot {} {}: {}.", action, std::string(text.begin(), text.end()), reason)};
    }

    std::filesystem::path path_;
    std::fstream stream_;
    std::uint64_t position_ = 0;
    std::uint64_t end_ = 0;
};

} // namespace

Result<void> MemoryOutput::append(ByteSpan bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return {};
}

Result<void> MemoryOutput::overwrite(std::uint64_t offset, ByteSpan bytes) {
    if (offset > bytes_.size() || bytes.size() > bytes_.size() - offset) {
        return Error{ErrorKind::Usage, "Only bytes that were already written can be overwritten."};
    }
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
    return {};
}

Result<std::unique_ptr<ByteOutput>> createFileOutput(const std::filesystem::path& path) {
    auto output = std::make_unique<FileOutput>(path);
    if (auto opened = output->open(); !opened.hasValue()) return opened.error();
    return std::unique_ptr<ByteOutput>(std::move(output));
}

} // namespace highwater::etl
