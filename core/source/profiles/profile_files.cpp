#include "core/source/profiles/profile_files.h"

#include "core/base/text.h"
#include "core/files/mapped_file.h"
#include "core/source/profiles/heaptrack_source.h"
#include "core/source/profiles/packed_stream.h"

#include <fmt/format.h>

namespace highwater::source {
namespace {

constexpr std::size_t kStartBytes = 4096;

/// The first bytes, unpacked. Empty: there are none, or they cannot be unpacked here.
std::string startOf(ByteSpan file, std::string_view name) {
    std::string start(kStartBytes, '\0');
    auto stream = PackedStream::open(file, name);
    start.resize(stream.hasValue() ? stream.value()->read(std::as_writable_bytes(std::span(start))) : 0);
    return start;
}

/// What cannot be unpacked may be one by its name only.
bool isOne(ByteSpan file, std::string_view name) {
    if (HeaptrackSource::isOne(startOf(file, name))) return true;
    return isZstd(file) && !PackedStream::open(file, name).hasValue();
}

Result<std::unique_ptr<RecordSource>> openImage(etl::FileImage file) {
    auto stream = PackedStream::open(file.bytes, file.name);
    if (!stream.hasValue()) return stream.error();
    const auto start = startOf(file.bytes, file.name);
    auto source = HeaptrackSource::open(std::move(file), start);
    if (!source.hasValue()) return source.error();
    return std::unique_ptr<RecordSource>(std::move(source).value());
}

} // namespace

bool isProfile(const std::filesystem::path& path) {
    const auto file = MappedFile::open(path);
    return file.hasValue() && isOne(file.value()->bytes(), utf8(path));
}

Result<std::unique_ptr<RecordSource>> openProfile(const std::filesystem::path& path) {
    auto file = MappedFile::open(path);
    if (!file.hasValue()) return file.error();
    const auto bytes = file.value()->bytes();
    return openImage({bytes, file.value(), utf8(path), file.value()});
}

Result<std::unique_ptr<RecordSource>> profileFromMemory(std::vector<std::byte> bytes, std::string name) {
    const auto owned = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    return openImage({*owned, owned, std::move(name)});
}

} // namespace highwater::source
