// Any bytes as a file of the name cache, with a matching checksum: never a crash or a read outside, and everything that
// is read can be queried and kept.
#include "core/symbols/store/name_cache.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

using namespace highwater::symbols;

namespace {

constexpr std::size_t kChecksumAt = 8, kCheckedFrom = 16; // as in name_cache.cpp, like checksumOf()

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    const auto h = (hash ^ value) * 0x9E3779B97F4A7C15ull;
    return h ^ (h >> 29);
}

std::uint64_t checksumOf(const std::string& file) {
    std::uint64_t hash = file.size() - kCheckedFrom;
    std::size_t at = kCheckedFrom;
    for (; at < file.size(); at += 8) {
        std::uint64_t value = 0;
        std::memcpy(&value, file.data() + at, std::min<std::size_t>(8, file.size() - at));
        hash = mixed(hash, value);
    }
    return (file.size() - kCheckedFrom) % 8 == 0 ? mixed(hash, 0) : hash;
}

/// A folder for the life of the program.
class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "name_cache_fuzz_XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) std::abort();
        path = name;
    }
    ~Folder() {
        std::error_code error;
        std::filesystem::remove_all(path, error);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::filesystem::path path;
};

SymbolIdentity fuzzed() {
    SymbolIdentity identity;
    identity.buildId = "fuzz";
    return identity;
}

/// A folder with a cache, and the start of its files, taken from one that the cache itself has written.
struct Cache {
    Cache() : names(folder.path), file(folder.path / (buildIdHex(fuzzed()) + ".names")) {
        if (!names.save(fuzzed(), {}).hasValue()) std::abort();
        std::ifstream written(file, std::ios::binary);
        begin.assign(std::istreambuf_iterator<char>(written), {});
        identityAt = begin.find(buildIdHex(fuzzed()));
        if (identityAt == std::string::npos) std::abort();
    }

    /// Without these no byte after the header would ever be read.
    void makeRight(std::string& content) const {
        constexpr std::size_t kIdentityBytes = 32;
        if (content.size() < identityAt + kIdentityBytes) return;
        std::copy_n(begin.begin(), kChecksumAt, content.begin()); // its identification
        std::copy_n(begin.begin() + static_cast<std::ptrdiff_t>(identityAt), kIdentityBytes,
                    content.begin() + static_cast<std::ptrdiff_t>(identityAt));
        const auto sum = checksumOf(content);
        std::memcpy(content.data() + kChecksumAt, &sum, sizeof(sum));
    }

    Folder folder;
    NameCache names;
    std::filesystem::path file;
    std::string begin;
    std::size_t identityAt = 0;
};

/// Everything in the entry, as tables query it.
void touch(const NameCache::Entry& entry) {
    volatile std::size_t sum = 0;
    for (const auto address : entry.names.addresses()) {
        const auto frames = entry.names.framesAt(address);
        if (!frames) std::abort(); // it is one of its addresses
        for (const auto& frame : *frames)
            sum = sum + entry.names.function(frame).linkageName.size() + entry.names.file(frame).size();
        (void)entry.names.functionAt(address);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static Cache cache;
    std::string content(reinterpret_cast<const char*>(data), size);
    cache.makeRight(content);
    std::ofstream(cache.file, std::ios::binary | std::ios::trunc) << content;
    const auto entry = cache.names.load(fuzzed());
    if (!entry) return 0;
    touch(*entry);
    if (!cache.names.save(fuzzed(), *entry).hasValue() || !cache.names.load(fuzzed())) std::abort();
    return 0;
}
