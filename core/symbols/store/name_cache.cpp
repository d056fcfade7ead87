#include "core/symbols/store/name_cache.h"

#include "core/files/mapped_file.h"
#include "core/files/output_file.h"
#include "core/files/private_folder.h"
#include "core/symbols/store/part_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <random>

namespace highwater::symbols {
namespace {

/// "SHWNAME4": incremented when the same file would give other names.
constexpr std::uint64_t kNameCacheMagic = 0x34454D414E574853;
constexpr std::uint32_t kInlinedBit = 0x80000000u;
constexpr const char* kEnding = ".names";
constexpr const char* kUnfinishedEnding = ".part";
constexpr std::chrono::hours kLongestWrite{1}; ///< older parts were left by a Highwater process that was killed

/// File layout: this header, then addresses, first frames, frames, functions, ends of file names, the path of the
/// source, all texts.
struct Header {
    std::uint64_t magic = kNameCacheMagic;
    std::uint64_t checksum = 0; ///< covers everything after this field
    std::uint64_t addresses = 0;
    std::uint64_t frames = 0;
    std::uint64_t functions = 0;
    std::uint64_t files = 0;
    std::uint64_t textBytes = 0;
    std::uint64_t quality = 0;
    std::uint64_t sourcePathBytes = 0;
    std::uint64_t sourceBytes = 0;
    std::int64_t sourceChanged = 0;
    std::array<std::uint8_t, 32> identity{}; ///< the start of the key; rejects a file that was copied to another name
};
static_assert(sizeof(Header) == 120);

struct StoredFrame {
    std::uint32_t function = 0;
    std::uint32_t file = 0;
    std::uint32_t line = 0;
    std::uint32_t offsetAndInlined = 0;
};
struct StoredFunction {
    std::uint32_t textEnd = 0;
    std::uint32_t foldedAndOrigin = 0; ///< the lower 2 bits are the origin
};

std::string keyOf(const SymbolIdentity& identity) {
    return identity.hasPdb() ? pdbKey(identity) : buildIdHex(identity);
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    const auto h = (hash ^ value) * 0x9E3779B97F4A7C15ull;
    return h ^ (h >> 29);
}

/// Eight bytes at a time, because the file may be large and is read at every start.
std::uint64_t checksumOf(ByteSpan bytes) {
    std::uint64_t hash = bytes.size();
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8)
        hash = mixed(hash, loadUnchecked<std::uint64_t>(bytes.data() + at));
    std::uint64_t rest = 0;
    if (at < bytes.size()) std::memcpy(&rest, bytes.data() + at, bytes.size() - at);
    return mixed(hash, rest);
}

void putIdentity(Header& header, const SymbolIdentity& identity) {
    const auto key = keyOf(identity);
    std::copy_n(key.begin(), std::min(key.size(), header.identity.size()), header.identity.begin());
}

template <typename T>
void put(std::vector<std::byte>& out, const std::vector<T>& values) {
    const auto at = out.size();
    out.resize(at + values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(out.data() + at, values.data(), values.size() * sizeof(T));
}

std::vector<std::byte> toBytes(const SymbolIdentity& identity, const NameCache::Entry& entry) {
    const auto& names = entry.names.names();
    std::string texts;
    std::vector<StoredFrame> frames;
    std::vector<StoredFunction> functions;
    std::vector<std::uint32_t> files;
    for (const auto& frame : names.frames) {
        const auto offset = std::min(frame.offset, kInlinedBit - 1);
        frames.push_back({frame.function, frame.file, frame.line, offset | (frame.isInlined ? kInlinedBit : 0)});
    }
    for (const auto& function : names.functions) {
        texts += function.linkageName;
        functions.push_back({static_cast<std::uint32_t>(texts.size()),
                             (function.foldedWith << 2) | static_cast<std::uint32_t>(function.origin)});
    }
    for (const auto& file : names.files) {
        texts += file;
        files.push_back(static_cast<std::uint32_t>(texts.size()));
    }
    Header header;
    header.addresses = entry.names.addresses().size();
    header.frames = frames.size();
    header.functions = functions.size();
    header.files = files.size();
    header.textBytes = texts.size();
    header.quality = static_cast<std::uint64_t>(entry.quality);
    header.sourcePathBytes = entry.source.path.size();
    header.sourceBytes = entry.source.bytes;
    header.sourceChanged = entry.source.changed;
    putIdentity(header, identity);
    std::vector<std::byte> out(sizeof(Header));
    put(out, entry.names.addresses());
    put(out, names.firstFrame);
    put(out, frames);
    put(out, functions);
    put(out, files);
    put(out, std::vector<char>(entry.source.path.begin(), entry.source.path.end()));
    put(out, std::vector<char>(texts.begin(), texts.end()));
    std::memcpy(out.data(), &header, sizeof(header));
    header.checksum = checksumOf(ByteSpan(out).subspan(16));
    std::memcpy(out.data(), &header, sizeof(header));
    return out;
}

template <typename T>
std::optional<std::vector<T>> take(ByteReader& reader, std::uint64_t count) {
    if (count > reader.remaining() / sizeof(T)) return std::nullopt;
    const auto bytes = reader.takeBytes(static_cast<std::size_t>(count) * sizeof(T));
    std::vector<T> values(static_cast<std::size_t>(count));
    if (count != 0) std::memcpy(values.data(), bytes->data(), bytes->size());
    return values;
}

/// Values that are read in place: most are read only once, and touching new memory costs more.
template <typename T>
class InPlace {
  public:
    InPlace() = default;
    explicit InPlace(ByteSpan bytes) : bytes_(bytes) {}
    [[nodiscard]] std::size_t size() const { return bytes_.size() / sizeof(T); }
    T operator[](std::size_t i) const { return loadUnchecked<T>(bytes_.data() + i * sizeof(T)); }

  private:
    ByteSpan bytes_;
};

template <typename T>
std::optional<InPlace<T>> takeInPlace(ByteReader& reader, std::uint64_t count) {
    if (count > reader.remaining() / sizeof(T)) return std::nullopt;
    return InPlace<T>(*reader.takeBytes(static_cast<std::size_t>(count) * sizeof(T)));
}

/// The parts of a file with a correct checksum; nullopt if they contradict each other.
std::optional<ResolvedAddresses> readNames(ByteReader& reader, const Header& header, FileStamp& source) {
    auto firstFrame = take<std::uint32_t>(reader, header.addresses + 1);
    const auto frames = takeInPlace<StoredFrame>(reader, header.frames);
    const auto functions = takeInPlace<StoredFunction>(reader, header.functions);
    const auto files = takeInPlace<std::uint32_t>(reader, header.files);
    const auto path = take<char>(reader, header.sourcePathBytes);
    if (!firstFrame || !frames || !functions || !files || !path || header.textBytes != reader.remaining())
        return std::nullopt;
    source = {std::string(path->begin(), path->end()), header.sourceBytes, header.sourceChanged};
    const auto texts = reader.takeBytes(reader.remaining()).value_or(ByteSpan());
    if (!std::is_sorted(firstFrame->begin(), firstFrame->end()) || firstFrame->front() != 0 ||
        firstFrame->back() != frames->size())
        return std::nullopt;
    ResolvedAddresses names;
    names.firstFrame = std::move(*firstFrame);
    std::size_t begin = 0;
    const auto text = [&](std::size_t end) -> std::optional<std::string> {
        if (end < begin || end > texts.size()) return std::nullopt;
        std::string found(reinterpret_cast<const char*>(texts.data()) + begin, end - begin);
        begin = end;
        return found;
    };
    names.functions.reserve(functions->size());
    for (std::size_t i = 0; i < functions->size(); ++i) {
        const auto function = (*functions)[i];
        auto name = text(function.textEnd);
        if (!name) return std::nullopt;
        names.functions.push_back({std::move(*name),
                                   static_cast<NameOrigin>(std::min(2u, function.foldedAndOrigin & 3u)),
                                   function.foldedAndOrigin >> 2});
    }
    names.files.reserve(files->size());
    for (std::size_t i = 0; i < files->size(); ++i) {
        auto name = text((*files)[i]);
        if (!name) return std::nullopt;
        names.files.push_back(std::move(*name));
    }
    names.frames.reserve(frames->size());
    for (std::size_t i = 0; i < frames->size(); ++i) {
        const auto frame = (*frames)[i];
        if (frame.function >= names.functions.size()) return std::nullopt;
        if (frame.file != kNoFile && frame.file >= names.files.size()) return std::nullopt;
        names.frames.push_back({frame.function, frame.file, frame.line, frame.offsetAndInlined & ~kInlinedBit,
                                (frame.offsetAndInlined & kInlinedBit) != 0});
    }
    return names;
}

} // namespace

FileStamp stampOf(const std::filesystem::path& path) {
    std::error_code error;
    const auto whole = std::filesystem::absolute(path, error);
    const auto bytes = error ? 0 : std::filesystem::file_size(whole, error);
    const auto changed = error ? std::filesystem::file_time_type() : std::filesystem::last_write_time(whole, error);
    if (error) return {};
    return {whole.lexically_normal().string(), bytes, static_cast<std::int64_t>(changed.time_since_epoch().count())};
}

std::filesystem::path NameCache::pathOf(const SymbolIdentity& identity) const {
    return folder_ / (keyOf(identity) + kEnding);
}

std::optional<NameCache::Entry> NameCache::load(const SymbolIdentity& identity) const {
    if (!identity.isKnown() || folder_.empty()) return std::nullopt;
    const auto path = pathOf(identity);
    closeToOthers(folder_); // older versions created it readable by others
    const auto file = openPrivateFile(path);
    if (!file.hasValue()) return std::nullopt;
    ByteReader reader(file.value()->bytes());
    const auto header = reader.take<Header>();
    Header expected;
    putIdentity(expected, identity);
    if (!header || header->magic != kNameCacheMagic || header->identity != expected.identity) return std::nullopt;
    if (header->checksum != checksumOf(file.value()->bytes().subspan(16))) return std::nullopt;
    auto addresses = take<Rva>(reader, header->addresses);
    if (!addresses ||
        std::adjacent_find(addresses->begin(), addresses->end(), std::greater_equal<>()) != addresses->end())
        return std::nullopt;
    FileStamp source;
    auto names = readNames(reader, *header, source);
    if (!names) return std::nullopt;
    // Marks the file as recently used. On Windows times are whole seconds, so it is made newer than files written in
    // this second.
    const auto now = std::filesystem::file_time_type::clock::now();
    std::error_code error;
    std::filesystem::last_write_time(path, std::chrono::floor<std::chrono::seconds>(now) + std::chrono::seconds(1),
                                     error);
    const auto quality = header->quality == 0 ? Quality::PublicOnly : Quality::Private;
    return Entry{ModuleNames(std::move(*addresses), std::move(*names)), quality, std::move(source)};
}

Result<void> NameCache::save(const SymbolIdentity& identity, const Entry& entry) {
    if (!identity.isKnown() || folder_.empty()) return {};
    const auto bytes = toBytes(identity, entry);
    std::error_code error;
    // Errors are reported below. Names reveal which programs ran here, and older versions created the folder readable
    // by others.
    if (makePrivateFolder(folder_, error)) closeToOthers(folder_);
    error.clear();
    std::random_device random;
    const auto part =
        folder_ / fmt::format("{}.{:08x}{:08x}{}", keyOf(identity), random(), random(), kUnfinishedEnding);
    {
        const auto file = OutputFile::createNew(part);
        if (!file.hasValue() || !file.value()->append(bytes).hasValue())
            error = std::make_error_code(std::errc::io_error);
    }
    if (!error) std::filesystem::rename(part, pathOf(identity), error);
    if (error) {
        std::error_code gone;
        std::filesystem::remove(part, gone);
        return Error{ErrorKind::Io, fmt::format("The name cache in {} cannot be written.", folder_.string())};
    }
    const std::lock_guard lock(mutex_);
    removeOldest();
    return {};
}

void NameCache::removeOldest() const {
    struct Kept {
        std::filesystem::file_time_type used;
        std::uint64_t bytes;
        std::filesystem::path path;
    };
    std::vector<Kept> kept;
    std::uint64_t total = 0;
    const auto killedBefore = std::filesystem::file_time_type::clock::now() - kLongestWrite;
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
        std::error_code unreadable; // another process may be removing it
        const auto bytes = it->file_size(unreadable);
        const auto used = it->last_write_time(unreadable);
        if (unreadable) continue;
        if (isPartName(it->path()) && used < killedBefore) std::filesystem::remove(it->path(), unreadable);
        if (it->path().extension() != kEnding) continue;
        kept.push_back({used, bytes, it->path()});
        total += bytes;
    }
    std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.used < b.used; });
    for (const auto& one : kept) {
        if (total <= limitBytes_) return;
        std::filesystem::remove(one.path, error);
        total -= one.bytes;
    }
}

} // namespace highwater::symbols
