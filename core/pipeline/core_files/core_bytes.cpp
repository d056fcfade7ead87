#include "core/pipeline/core_files/core_bytes.h"

#include "core/base/text.h"
#include "core/files/scratch_file.h"
#include "core/source/profiles/packed_stream.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater::pipeline {
namespace {

using namespace std::string_view_literals;

struct Packing {
    std::string_view start;
    std::string_view format;
    std::string_view command; ///< that unpacks it
};
constexpr std::array kOthers{
    Packing{"\x04\x22\x4D\x18"sv, "LZ4", "lz4 -d"},
    Packing{"\xFD"
            "7zXZ\0"sv,
            "xz", "xz -dk"},
    Packing{"BZh"sv, "bzip2", "bzip2 -dk"},
};

std::optional<Error> whyPacked(ByteSpan file, const std::string& name) {
    for (const auto& [start, format, command] : kOthers)
        if (file.size() >= start.size() && std::memcmp(file.data(), start.data(), start.size()) == 0)
            return Error{ErrorKind::NotATrace, fmt::format("{} is packed with {}, which Highwater does not unpack. "
                                                           "Unpack it first: {} {}",
                                                           name, format, command, name)};
    return std::nullopt;
}

/// What was unpacked so far, in pieces. Large parts of core files are zeros.
class Unpacked {
  public:
    explicit Unpacked(std::unique_ptr<ScratchFile> scratch)
        : scratch_(std::move(scratch)), leastFree_(ScratchFile::freeBytes() / 2) {}

    Result<void> add(ByteSpan piece, const std::string& name) {
        constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;
        constexpr std::uint64_t kBetweenChecks = std::uint64_t{256} << 20;
        const auto begin = bytes_;
        bytes_ += piece.size();
        const bool isCheckDue = bytes_ / kBetweenChecks != begin / kBetweenChecks;
        if (bytes_ > kMostBytes || (isCheckDue && ScratchFile::freeBytes() < leastFree_))
            return Error{ErrorKind::Io, fmt::format("{} was not unpacked because it needs more than half of the free "
                                                    "space in {}. Set TMPDIR to a folder with more space.",
                                                    name, utf8(ScratchFile::folder()))};
        if (!areZeros(piece)) addData({begin, bytes_});
        return scratch_->append(piece);
    }
    [[nodiscard]] bool isEmpty() const { return bytes_ == 0; }
    Result<CoreBytes> finish() {
        auto file = TRY(scratch_->map());
        return CoreBytes{std::move(file), std::move(data_)};
    }

  private:
    void addData(FileRange range) {
        if (!data_.empty() && data_.back().end == range.begin)
            data_.back().end = range.end;
        else
            data_.push_back(range);
    }

    std::unique_ptr<ScratchFile> scratch_;
    std::uint64_t leastFree_;
    std::uint64_t bytes_ = 0;
    std::vector<FileRange> data_;
};

Result<CoreBytes> unpack(ByteSpan packed, const std::string& name, const std::stop_token& stop) {
    constexpr std::size_t kPiece = std::size_t{64} << 10;
    const auto stream = TRY(source::PackedStream::open(packed, name));
    auto scratch = TRY(ScratchFile::create());
    Unpacked unpacked(std::move(scratch));
    std::vector<std::byte> piece(kPiece);
    for (auto count = stream->read(piece); count > 0; count = stream->read(piece)) {
        if (stop.stop_requested()) return Error{ErrorKind::Cancelled, ""};
        TRY(unpacked.add(ByteSpan(piece).first(count), name));
    }
    if (unpacked.isEmpty() && stream->isBroken())
        return Error{ErrorKind::Damaged, fmt::format("{} is damaged and cannot be unpacked.", name)};
    return unpacked.finish(); // a file that ends early is a core file that ends early
}

} // namespace

Result<CoreBytes> openCoreBytes(const std::filesystem::path& path, const std::stop_token& stop) {
    const auto name = utf8(path);
    auto file = TRY(MappedFile::open(path));
    if (auto error = whyPacked(file->bytes(), name)) return *std::move(error);
    if (source::isPacked(file->bytes())) return unpack(file->bytes(), name, stop);
    return CoreBytes{std::move(file), dataIn(path)};
}

} // namespace highwater::pipeline
