// Measures how long findReferences() takes for a large heap:
//
//     references_benchmark [BLOCKS=4000000] [ROUNDS=3]
//
// The heap has blocks of 48 to 224 bytes in the memory of this program: half of them are nodes of lists in a random
// order, the others refer to two random blocks each. The fastest round counts. Its time is compared with that of one
// thread that only adds up all words of the same memory. Goal: at most 5 s for 10 M blocks, and 40 bytes of memory per
// block during the search besides the picture, and 8 per reference.

#include "core/references/references.h"
#include "core/references/retained.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::references;

namespace {

using Clock = std::chrono::steady_clock;

/// Of all threads: less affected by other programs than the time that passes.
double processorSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// A line of /proc/self/status or /proc/loadavg; "" if there is none.
std::string lineOf(const char* file, const std::string& start) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(start)) return line;
    return {};
}

/// The heap of a program, at addresses of its own.
class Heap {
  public:
    static constexpr Address kBegin = 0x5500'0000'0000, kVariables = 0x7F00'0000'0000;

    explicit Heap(std::uint32_t blocks) : random_(1) {
        place(blocks);
        words_.resize((end_ - kBegin + kResidentPageBytes) / kResidentPageBytes * kResidentPageBytes / 8);
        std::ranges::generate(words_, [&] { return random_() % 3 == 0 ? random_() : random_() % 1000; });
        std::vector<std::uint32_t> order(blocks);
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::shuffle(order, random_);
        for (std::uint32_t i = 0; i < blocks; ++i) {
            if (i % 2 == 0) {
                refer(order[i], 0, order[i + 2 < blocks ? i + 2 : i]);
            } else {
                refer(order[i], 1, static_cast<std::uint32_t>(random_() % blocks));
                refer(order[i], 2, static_cast<std::uint32_t>(random_() % blocks));
            }
        }
        for (auto& variable : variables_)
            variable = blocks_[random_() % blocks].address;
    }
    [[nodiscard]] Memory memory() const {
        Memory memory;
        memory.blocks = blocks_;
        memory.mappings.names = {"[heap]", "/usr/lib/libapp.so"};
        addMapping(memory.mappings, kBegin, words_.size() * 8, 0);
        addMapping(memory.mappings, kVariables, sizeof(variables_), mapping_flag::kFile);
        memory.mappings.mappings[1].name = 1;
        memory.read = [this](Address from, std::span<std::byte> to) {
            const auto* const words = from >= kVariables ? variables_.data() : words_.data();
            const auto offset = from - (from >= kVariables ? kVariables : kBegin);
            std::memcpy(to.data(), reinterpret_cast<const std::byte*>(words) + offset, to.size());
            return to.size();
        };
        return memory;
    }
    [[nodiscard]] const std::vector<std::uint64_t>& words() const { return words_; }

  private:
    void place(std::uint32_t blocks) {
        for (std::uint32_t i = 0; i < blocks; ++i) {
            const ByteCount bytes = 16 * (3 + random_() % 12);
            blocks_.push_back({end_, bytes});
            end_ += bytes + 16;
        }
    }
    void refer(std::uint32_t from, std::size_t word, std::uint32_t to) {
        words_[(blocks_[from].address - kBegin) / 8 + word] = blocks_[to].address;
    }
    static void addMapping(ResidentSample& sample, Address begin, ByteCount bytes, std::uint32_t flags) {
        Mapping mapping;
        mapping.begin = begin, mapping.end = begin + bytes;
        mapping.flags = flags | mapping_flag::kRead | mapping_flag::kWrite;
        sample.mappings.push_back(mapping);
    }

    std::mt19937_64 random_;
    std::vector<Block> blocks_;
    Address end_ = kBegin;
    std::vector<std::uint64_t> words_;
    std::array<std::uint64_t, 2048> variables_{};
};

double secondsToSum(const std::vector<std::uint64_t>& words) {
    const auto start = Clock::now();
    volatile auto sum = std::accumulate(words.begin(), words.end(), std::uint64_t{0});
    (void)sum;
    return secondsSince(start);
}

} // namespace

int main(int count, char** arguments) {
    const auto blocks = static_cast<std::uint32_t>(count > 1 ? std::atoi(arguments[1]) : 4'000'000);
    const int rounds = count > 2 ? std::atoi(arguments[2]) : 3;
    fmt::print("load of the machine: {}\n", lineOf("/proc/loadavg", ""));
    const Heap heap(blocks);
    fmt::print("before: {}\n", lineOf("/proc/self/status", "VmRSS"));
    double search = 1e9, processors = 1e9, sum = 1e9, retain = 1e9;
    for (int round = 0; round < rounds; ++round) {
        sum = std::min(sum, secondsToSum(heap.words()));
        auto memory = heap.memory();
        auto start = Clock::now();
        const auto before = processorSeconds();
        const auto picture = findReferences(std::move(memory));
        search = std::min(search, secondsSince(start));
        processors = std::min(processors, processorSeconds() - before);
        if (!picture.hasValue()) return 1;
        start = Clock::now();
        const RetainedSizes retained(picture.value());
        retain = std::min(retain, secondsSince(start));
        fmt::print("round {}: {} bytes are retained by the first block\n", round, retained.of(0));
    }
    const auto words = static_cast<double>(heap.words().size());
    fmt::print("{} blocks, {:.0f} MB: search {:.2f} s ({:.2f} s of processors), {:.2f} ns a word, {:.0f} ns a block; "
               "adding the words {:.2f} s: "
               "ratio {:.1f}; retained sizes {:.2f} s\nmost memory: {}\n",
               blocks, words * 8 / 1e6, search, processors, search * 1e9 / words, search * 1e9 / blocks, sum,
               search / sum, retain, lineOf("/proc/self/status", "VmHWM"));
    fmt::print("load of the machine: {}\n", lineOf("/proc/loadavg", ""));
    return 0;
}
