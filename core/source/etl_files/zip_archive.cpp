#include "core/source/etl_files/zip_archive.h"

#include "core/base/text.h"
#include "core/files/scratch_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace highwater::source {
namespace {

constexpr std::uint32_t kLocalSignature = 0x04034B50;
constexpr std::uint32_t kCentralSignature = 0x02014B50;
constexpr std::uint32_t kEndSignature = 0x06054B50;
constexpr std::uint32_t kEnd64Signature = 0x06064B50;
constexpr std::uint32_t kEnd64LocatorSignature = 0x07064B50;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kLongestComment = 0xFFFF;
constexpr std::uint16_t kZip64Extra = 1;
constexpr std::uint64_t kHighestRatio = 1100; ///< deflate reaches at most 1032
constexpr std::size_t kBlockBytes = std::size_t{1} << 18;
constexpr std::uint16_t kStored = 0, kDeflated = 8;

template <typename T>
T at(ByteSpan bytes, std::size_t offset) {
    return loadUnchecked<T>(bytes.data() + offset);
}

struct Directory {
    std::uint64_t offset = 0;
    std::uint64_t entries = 0;
};

/// Searches backwards, because a comment may follow.
std::optional<std::size_t> findEnd(ByteSpan archive) {
    if (archive.size() < kEndBytes) return std::nullopt;
    const auto last = archive.size() - kEndBytes;
    const auto first = last > kLongestComment ? last - kLongestComment : 0;
    for (auto offset = last + 1; offset-- > first;) {
        if (at<std::uint32_t>(archive, offset) == kEndSignature) return offset;
    }
    return std::nullopt;
}

std::optional<Directory> findDirectory(ByteSpan archive) {
    const auto end = findEnd(archive);
    if (!end) return std::nullopt;
    Directory directory{at<std::uint32_t>(archive, *end + 16), at<std::uint16_t>(archive, *end + 10)};
    const bool isZip64 = *end >= 20 && at<std::uint32_t>(archive, *end - 20) == kEnd64LocatorSignature;
    if (!isZip64) return directory;
    const auto record = at<std::uint64_t>(archive, *end - 12);
    if (record > archive.size() || archive.size() - record < 56) return std::nullopt;
    if (at<std::uint32_t>(archive, static_cast<std::size_t>(record)) != kEnd64Signature) return std::nullopt;
    directory.entries = at<std::uint64_t>(archive, static_cast<std::size_t>(record) + 32);
    directory.offset = at<std::uint64_t>(archive, static_cast<std::size_t>(record) + 48);
    return directory;
}

/// Values that do not fit into 32 bits are in an extra field, in this order, each only if its 32-bit field has the
/// maximum value.
void readZip64(ByteReader extra, ZipEntry& entry) {
    constexpr auto kFull = std::numeric_limits<std::uint32_t>::max();
    while (const auto id = extra.take<std::uint16_t>()) {
        const auto size = extra.take<std::uint16_t>();
        const auto field = size ? extra.takeBytes(*size) : std::nullopt;
        if (!field) return;
        if (*id != kZip64Extra) continue;
        ByteReader values(*field);
        for (auto* value : {&entry.bytes, &entry.packedBytes, &entry.headerOffset}) {
            if (*value == kFull) *value = values.take<std::uint64_t>().value_or(kFull);
        }
    }
}

std::optional<ZipEntry> takeEntry(ByteReader& reader) {
    const auto fixed = reader.takeBytes(46);
    if (!fixed || at<std::uint32_t>(*fixed, 0) != kCentralSignature) return std::nullopt;
    ZipEntry entry;
    entry.isEncrypted = (at<std::uint16_t>(*fixed, 8) & 1u) != 0;
    entry.method = at<std::uint16_t>(*fixed, 10);
    entry.checksum = at<std::uint32_t>(*fixed, 16);
    entry.packedBytes = at<std::uint32_t>(*fixed, 20);
    entry.bytes = at<std::uint32_t>(*fixed, 24);
    entry.headerOffset = at<std::uint32_t>(*fixed, 42);
    const auto entryName = reader.takeBytes(at<std::uint16_t>(*fixed, 28));
    const auto extra = reader.takeBytes(at<std::uint16_t>(*fixed, 30));
    if (!entryName || !extra || !reader.skip(at<std::uint16_t>(*fixed, 32))) return std::nullopt;
    entry.name = ByteReader(*entryName).takeNarrow();
    readZip64(ByteReader(*extra), entry);
    return entry;
}

/// A zlib stream that is closed on every exit path.
class Inflater {
  public:
    Inflater() { ready_ = inflateInit2(&stream_, -MAX_WBITS) == Z_OK; }
    ~Inflater() {
        if (ready_) inflateEnd(&stream_);
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    [[nodiscard]] bool isReady() const { return ready_; }

    enum class Step { Full, End, Broken };

    /// Fills `output` as far as possible; sets the number of bytes written.
    Step fill(ByteSpan& input, std::span<std::byte> output, std::size_t& written) {
        written = 0;
        while (written < output.size()) {
            const auto give = std::min<std::size_t>(input.size(), kMaxStep);
            const auto room = std::min<std::size_t>(output.size() - written, kMaxStep);
            stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(input.data()));
            stream_.avail_in = static_cast<uInt>(give);
            stream_.next_out = reinterpret_cast<Bytef*>(output.data() + written);
            stream_.avail_out = static_cast<uInt>(room);
            const int code = inflate(&stream_, Z_NO_FLUSH);
            input = input.subspan(give - stream_.avail_in);
            written += room - stream_.avail_out;
            if (code == Z_STREAM_END) return Step::End;
            if (code != Z_OK) return Step::Broken;
        }
        return Step::Full;
    }

  private:
    static constexpr std::size_t kMaxStep = 1u << 30;
    z_stream stream_{};
    bool ready_ = false;
};

/// The destination of an expanded entry, written block by block.
class UnpackedBytes {
  public:
    virtual ~UnpackedBytes() = default;
    virtual bool append(ByteSpan bytes) = 0;
    /// The appended bytes and their owner. Ends writing.
    virtual std::optional<ZipContent> content() = 0;
};

/// Memory that grows with the bytes written. Uses C allocation, which reports failure instead of throwing.
class UnpackedInMemory final : public UnpackedBytes {
  public:
    bool append(ByteSpan bytes) override {
        if (memory_->capacity - memory_->used < bytes.size() && !grow(memory_->used + bytes.size())) return false;
        if (!bytes.empty()) std::memcpy(memory_->data + memory_->used, bytes.data(), bytes.size());
        memory_->used += bytes.size();
        return true;
    }
    std::optional<ZipContent> content() override {
        return ZipContent{ByteSpan(memory_->data, memory_->used), std::move(memory_)};
    }

  private:
    struct Memory {
        Memory() = default;
        ~Memory() { std::free(data); }
        Memory(const Memory&) = delete;
        Memory& operator=(const Memory&) = delete;
        std::byte* data = nullptr;
        std::size_t capacity = 0;
        std::size_t used = 0;
    };

    bool grow(std::size_t atLeast) {
        const auto wanted = std::max(atLeast, memory_->capacity + memory_->capacity / 2);
        auto* larger = static_cast<std::byte*>(std::realloc(memory_->data, wanted));
        if (larger == nullptr) return false;
        memory_->data = larger;
        memory_->capacity = wanted;
        return true;
    }

    std::shared_ptr<Memory> memory_ = std::make_shared<Memory>();
};

class UnpackedOnDisk final : public UnpackedBytes {
  public:
    explicit UnpackedOnDisk(std::unique_ptr<ScratchFile> file) : file_(std::move(file)) {}

    bool append(ByteSpan bytes) override {
        isEmpty_ = isEmpty_ && bytes.empty();
        return file_->append(bytes).hasValue();
    }
    std::optional<ZipContent> content() override {
        if (isEmpty_) return ZipContent{};
        auto mapped = file_->map();
        if (!mapped.hasValue()) return std::nullopt;
        const auto bytes = mapped.value()->bytes();
        return ZipContent{bytes, std::move(mapped).value()};
    }

  private:
    std::unique_ptr<ScratchFile> file_;
    bool isEmpty_ = true;
};

std::uint32_t addToChecksum(std::uint32_t checksum, ByteSpan bytes) {
    return static_cast<std::uint32_t>(
        crc32_z(checksum, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<z_size_t>(bytes.size())));
}

enum class Outcome { Whole, Broken, TooLong, NoRoom };

struct Inflation {
    Outcome outcome = Outcome::Whole;
    std::uint64_t bytes = 0;
    std::uint32_t checksum = 0;
};

/// Stops as soon as the output exceeds `claimedBytes`.
Inflation inflateAll(ByteSpan packed, std::uint64_t claimedBytes, UnpackedBytes& out) {
    Inflater inflater;
    Inflation done;
    std::vector<std::byte> block(kBlockBytes);
    auto step = Inflater::Step::Full;
    while (inflater.isReady() && step == Inflater::Step::Full) {
        std::size_t written = 0;
        step = inflater.fill(packed, block, written);
        const auto bytes = ByteSpan(block).first(written);
        done.bytes += written;
        if (done.bytes > claimedBytes) return {Outcome::TooLong};
        if (!out.append(bytes)) return {Outcome::NoRoom};
        done.checksum = addToChecksum(done.checksum, bytes);
    }
    if (!inflater.isReady()) return {Outcome::NoRoom};
    done.outcome = step == Inflater::Step::End ? Outcome::Whole : Outcome::Broken;
    return done;
}

} // namespace

Result<ZipArchive> ZipArchive::open(ByteSpan archive, std::string name) {
    ZipArchive zip(archive, std::move(name));
    const auto directory = findDirectory(archive);
    if (!directory || directory->offset > archive.size()) {
        return Error{ErrorKind::Damaged,
                     fmt::format("{} is a zip archive that is cut off: its directory is missing.", zip.name_)};
    }
    ByteReader reader(archive.subspan(static_cast<std::size_t>(directory->offset)));
    while (zip.entries_.size() < directory->entries) {
        auto entry = takeEntry(reader);
        if (!entry) break;
        zip.entries_.push_back(std::move(*entry));
    }
    if (zip.entriesOverlap()) {
        return Error{
            ErrorKind::Damaged,
            fmt::format("{} is a zip archive whose entries overlap. It is damaged, or crafted to expand without end.",
                        zip.name_)};
    }
    return zip;
}

/// Entries outside the archive are refused when they are read.
bool ZipArchive::entriesOverlap() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    for (const auto& entry : entries_) {
        const auto packed = packedBytes(entry);
        if (!packed.hasValue()) continue;
        const auto end = static_cast<std::uint64_t>(packed.value().data() - archive_.data()) + packed.value().size();
        ranges.emplace_back(entry.headerOffset, end);
    }
    std::sort(ranges.begin(), ranges.end());
    return std::adjacent_find(ranges.begin(), ranges.end(),
                              [](const auto& a, const auto& b) { return b.first < a.second; }) != ranges.end();
}

Error ZipArchive::error(ErrorKind kind, const ZipEntry& entry, std::string_view what) const {
    return {kind, fmt::format("{} in {} {}.", entry.name, name_, what)};
}

Result<ByteSpan> ZipArchive::packedBytes(const ZipEntry& entry) const {
    constexpr std::size_t kLocalBytes = 30;
    const auto broken = [&] {
        return error(ErrorKind::Damaged, entry, "extends beyond the end of the archive, which is damaged or cut off");
    };
    if (entry.headerOffset > archive_.size() || archive_.size() - entry.headerOffset < kLocalBytes) return broken();
    const auto local = archive_.subspan(static_cast<std::size_t>(entry.headerOffset));
    if (at<std::uint32_t>(local, 0) != kLocalSignature) return broken();
    const std::size_t begin = kLocalBytes + at<std::uint16_t>(local, 26) + at<std::uint16_t>(local, 28);
    if (begin > local.size() || entry.packedBytes > local.size() - begin) return broken();
    return local.subspan(begin, static_cast<std::size_t>(entry.packedBytes));
}

Result<ZipContent> ZipArchive::read(const ZipEntry& entry, UnpackingRoom& room) const {
    if (entry.isEncrypted) return error(ErrorKind::Unsupported, entry, "is encrypted; unpack the archive first");
    if (entry.method != kStored && entry.method != kDeflated) {
        return error(ErrorKind::Unsupported, entry,
                     "uses a compression method that Highwater does not support; unpack the archive first");
    }
    auto packed = TRY(packedBytes(entry));
    if (entry.method == kStored) {
        return ZipContent{packed, nullptr, addToChecksum(0, packed) == entry.checksum};
    }
    if (entry.bytes > room.bytes || entry.bytes / kHighestRatio > entry.packedBytes) {
        return error(ErrorKind::Unsupported, entry,
                     fmt::format("claims to expand to {} bytes, which is too large; unpack the archive first",
                                 thousands(entry.bytes)));
    }
    return inflate(entry, packed, room);
}

Result<ZipContent> ZipArchive::inflate(const ZipEntry& entry, ByteSpan packed, UnpackingRoom& room) const {
    std::unique_ptr<UnpackedBytes> out = std::make_unique<UnpackedInMemory>();
    const bool isLarge = entry.bytes > room.memoryBytes;
    if (isLarge) {
        if (entry.bytes > ScratchFile::freeBytes() / 2) {
            return error(
                ErrorKind::Unsupported, entry,
                fmt::format("expands to {} bytes, for which the temporary folder does not have enough space; unpack "
                            "the archive first",
                            thousands(entry.bytes)));
        }
        auto file = TRY(ScratchFile::create());
        out = std::make_unique<UnpackedOnDisk>(std::move(file));
    }
    const auto done = inflateAll(packed, entry.bytes, *out);
    if (done.outcome == Outcome::TooLong) return error(ErrorKind::Damaged, entry, "expands to more than it claims");
    auto content = done.outcome == Outcome::NoRoom ? std::nullopt : out->content();
    if (!content)
        return error(ErrorKind::Unsupported, entry, "needs more space than is available; unpack the archive first");
    room.bytes -= done.bytes;
    if (!isLarge) room.memoryBytes -= done.bytes;
    content->isWhole = done.outcome == Outcome::Whole && done.bytes == entry.bytes && done.checksum == entry.checksum;
    return *std::move(content);
}

} // namespace highwater::source
