#include "core/pipeline/index/trace_index_key.h"

#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/pipeline/index/index_checksum.h"
#include "core/pipeline/index/index_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <span>

namespace highwater::pipeline {
namespace {

constexpr std::uint64_t kPieces = 64;
constexpr std::uint64_t kPieceBytes = std::uint64_t{64} << 10;

/// Empty if it cannot be read.
std::string checksumsOfPieces(const std::filesystem::path& path, std::uint64_t bytes) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> piece(kPieceBytes);
    std::string text;
    const auto last = bytes - std::min(bytes, kPieceBytes);
    for (std::uint64_t i = 0; i < kPieces; ++i) {
        const auto length = std::min(bytes, kPieceBytes);
        // Avoids a product that would overflow.
        file.seekg(static_cast<std::streamoff>(last / (kPieces - 1) * i + last % (kPieces - 1) * i / (kPieces - 1)));
        if (!file.read(piece.data(), static_cast<std::streamsize>(length))) return {};
        text += fmt::format(" {:x}", indexChecksum(std::as_bytes(std::span(piece).first(length))));
        if (last == 0) break;
    }
    return text;
}

/// "<path>, <bytes>, <time>: <checksums>"; empty if it cannot be read.
std::string keyOfFile(const std::filesystem::path& path) {
    std::error_code error;
    const auto whole = std::filesystem::canonical(path, error);
    if (error || !std::filesystem::is_regular_file(whole, error)) return {};
    const auto bytes = std::filesystem::file_size(whole, error);
    const auto changed = error ? std::filesystem::file_time_type() : std::filesystem::last_write_time(whole, error);
    if (error || bytes == 0) return {};
    const auto pieces = checksumsOfPieces(whole, bytes);
    if (pieces.empty()) return {};
    return fmt::format("{}, {}, {}:{}\n", utf8(whole), bytes, changed.time_since_epoch().count(), pieces);
}

} // namespace

std::string traceIndexKey(const std::vector<std::filesystem::path>& paths) {
    auto key = fmt::format("Highwater {} {} {}\n", kVersionOfProgram, kChecksumOfSources, sizeof(void*));
    for (const auto& path : paths) {
        const auto ofFile = keyOfFile(path);
        if (ofFile.empty()) return {};
        key += ofFile;
    }
    return key;
}

std::string traceIndexName(const std::vector<std::filesystem::path>& paths) {
    std::string names;
    for (const auto& path : paths) {
        std::error_code error;
        const auto whole = std::filesystem::canonical(path, error);
        names += utf8(error ? path : whole) + '\n';
    }
    constexpr std::size_t kBytes = 16;
    std::string name;
    const auto hash = sha256(std::as_bytes(std::span(names)));
    for (std::size_t i = 0; i < kBytes; ++i)
        name += fmt::format("{:02x}", hash[i]);
    return name;
}

std::uint64_t bytesOfFiles(const std::vector<std::filesystem::path>& paths) {
    std::uint64_t sum = 0;
    for (const auto& path : paths) {
        std::error_code error;
        const auto bytes = std::filesystem::file_size(path, error);
        if (error) return 0;
        sum += bytes;
    }
    return sum;
}

} // namespace highwater::pipeline
