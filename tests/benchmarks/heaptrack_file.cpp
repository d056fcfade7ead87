#include "tests/benchmarks/heaptrack_file.h"

#include <fmt/format.h>
#include <zstd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace highwater::benchmarks {
namespace {

constexpr std::uint32_t kDepth = 12;
constexpr std::uint32_t kFunctions = 500;
constexpr std::uint64_t kAllocationsPerTick = 40'000; ///< ticks of 10 ms

void require(bool isRight, const char* what) {
    if (isRight) return;
    std::fprintf(stderr, "heaptrack_file: %s\n", what);
    std::exit(2);
}

/// Text that is compressed into a file.
class PackedText {
  public:
    explicit PackedText(const std::filesystem::path& path)
        : file_(path, std::ios::binary), stream_(ZSTD_createCStream()), room_(ZSTD_CStreamOutSize()) {
        require(stream_ != nullptr && file_.good(), "cannot write");
        constexpr int kLevel = 3; // heaptrack's own
        ZSTD_initCStream(stream_, kLevel);
    }
    ~PackedText() {
        put(ZSTD_e_end);
        ZSTD_freeCStream(stream_);
    }
    PackedText(const PackedText&) = delete;
    PackedText& operator=(const PackedText&) = delete;

    template <typename... T>
    void line(fmt::format_string<T...> format, T&&... values) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<T>(values)...);
        text_ += '\n';
        constexpr std::size_t kEnough = 1 << 20;
        if (text_.size() >= kEnough) put(ZSTD_e_continue);
    }

  private:
    void put(ZSTD_EndDirective how) {
        ZSTD_inBuffer in{text_.data(), text_.size(), 0};
        for (bool isDone = false; !isDone;) {
            ZSTD_outBuffer out{room_.data(), room_.size(), 0};
            const auto left = ZSTD_compressStream2(stream_, &out, &in, how);
            require(ZSTD_isError(left) == 0, "cannot pack");
            file_.write(room_.data(), static_cast<std::streamsize>(out.pos));
            isDone = how == ZSTD_e_end ? left == 0 : in.pos == in.size;
        }
        require(file_.good(), "cannot write");
        text_.clear();
    }

    std::ofstream file_;
    ZSTD_CStream* stream_;
    std::vector<char> room_;
    std::string text_;
};

void writeString(PackedText& out, const std::string& text) { out.line("s {:x} {}", text.size(), text); }

/// Modules, functions and stacks; and the innermost nodes.
std::vector<std::uint32_t> writePlaces(PackedText& out, const HeaptrackFileShape& shape, std::mt19937_64& random) {
    out.line("v 10400 3");
    out.line("X ./program");
    out.line("I 1000 5e298f");
    writeString(out, "/opt/program");
    writeString(out, "/src/program.cpp");
    for (std::uint32_t i = 0; i < kFunctions; ++i) {
        writeString(out, fmt::format("Worker{}::doSomething(int, unsigned long)", i));
        out.line("i {:x} 1 {:x} 2 {:x}", 0x563a69ac4000 + i * 64, i + 3, 10 + i);
    }
    std::vector<std::uint32_t> innermost;
    std::uint32_t node = 0;
    for (std::uint32_t i = 0; i < shape.stacks; ++i) {
        std::uint32_t parent = 0;
        for (std::uint32_t depth = 0; depth < kDepth; ++depth) {
            out.line("t {:x} {:x}", 1 + random() % kFunctions, parent);
            parent = ++node;
        }
        innermost.push_back(parent);
    }
    return innermost;
}

/// Kinds of allocation by place, written at their first use: heaptrack_gui crashes on another order.
class Kinds {
  public:
    Kinds(PackedText& out, std::vector<std::uint32_t> innermost, std::uint32_t sizes)
        : out_(out), innermost_(std::move(innermost)), sizes_(sizes), numbers_(innermost_.size() * sizes, kNone) {}

    [[nodiscard]] std::uint32_t any(std::mt19937_64& random) {
        const auto kind = static_cast<std::size_t>(random() % numbers_.size());
        if (numbers_[kind] == kNone) {
            out_.line("a {:x} {:x}", 16U << (kind % sizes_ % 16), innermost_[kind / sizes_]);
            numbers_[kind] = count_++;
        }
        return numbers_[kind];
    }
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  private:
    PackedText& out_;
    std::vector<std::uint32_t> innermost_;
    std::uint32_t sizes_;
    std::vector<std::uint32_t> numbers_;
    std::uint32_t count_ = 0;
};

void writeEvents(PackedText& out, Kinds& kinds, const HeaptrackFileShape& shape, std::mt19937_64& random) {
    std::vector<std::uint32_t> live(shape.outstanding, Kinds::kNone);
    for (std::uint64_t i = 0; i < shape.allocations; ++i) {
        if (i % kAllocationsPerTick == 0) out.line("c {:x}", i / kAllocationsPerTick * 10);
        auto& place = live[random() % live.size()];
        if (place != Kinds::kNone) out.line("- {:x}", place);
        place = kinds.any(random);
        out.line("+ {:x}", place);
    }
}

} // namespace

std::filesystem::path heaptrackFile(const HeaptrackFileShape& shape) {
    const auto path =
        std::filesystem::temp_directory_path() / fmt::format("heaptrack.program_{}_{}_{}_{}.zst", shape.allocations,
                                                             shape.outstanding, shape.stacks, shape.sizes);
    if (std::filesystem::exists(path)) return path;
    auto unfinished = path;
    unfinished += ".part";
    {
        PackedText out(unfinished);
        std::mt19937_64 random(7);
        Kinds kinds(out, writePlaces(out, shape, random), shape.sizes);
        writeEvents(out, kinds, shape, random);
    }
    std::filesystem::rename(unfinished, path);
    return path;
}

} // namespace highwater::benchmarks
