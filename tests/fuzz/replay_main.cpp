// A fuzz target without libFuzzer: runs the given inputs, then changed copies of them, the same copies for the same
// number: TARGET [--seconds S] [--number N] [--found FOLDER] [--patience S] FILES_AND_FOLDERS... An input that crashes
// the program, or takes longer than the patience (10 seconds), is kept in the folder.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;
using Clock = std::chrono::steady_clock;

unsigned mostSecondsOfAnInput = 10; // wall-clock time
constexpr std::size_t kLargestInput = 1u << 20;
constexpr std::size_t kLargestNamed = 16u << 20; ///< for a named file instead of its folder

// Data for the signal handler, which must not allocate.
const Bytes* running = nullptr;
std::string keepAs;

void keepAndEnd(int) {
    if (const int file = ::open(keepAs.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600); file >= 0) {
        if (running != nullptr && write(file, running->data(), running->size()) < 0) _exit(2);
        ::close(file);
    }
    constexpr char kWords[] = "An input ended the target; it is kept as ";
    if (write(2, kWords, sizeof(kWords) - 1) < 0 || write(2, keepAs.data(), keepAs.size()) < 0 || write(2, "\n", 1) < 0)
        _exit(2);
    _exit(2);
}

void run(const Bytes& input) {
    running = &input;
    alarm(mostSecondsOfAnInput);
    // A copy of exactly its size, so that the sanitizers detect reads beyond it.
    const Bytes exact(input.begin(), input.end());
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
    alarm(0);
    running = nullptr;
}

Bytes contentOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Mutations that find the most errors: bytes, fields at their extremes, parts removed, repeated, or taken from another
/// input.
class Changer {
  public:
    explicit Changer(std::uint64_t number) : random_(number) {}

    Bytes changed(const std::vector<Bytes>& seeds) {
        Bytes input = seeds[below(seeds.size())];
        const auto times = 1 + below(6);
        for (std::size_t i = 0; i < times; ++i)
            change(input, seeds[below(seeds.size())]);
        return input;
    }

  private:
    std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

    void change(Bytes& input, const Bytes& other) {
        const auto at = below(input.size());
        const auto length = std::min(input.size() - at, below(64) + 1);
        const auto from = input.begin() + static_cast<std::ptrdiff_t>(at);
        const auto to = from + static_cast<std::ptrdiff_t>(length);
        switch (below(7)) {
        case 0:
            if (!input.empty()) input[at] ^= static_cast<std::uint8_t>(1u << below(8));
            break;
        case 1:
            setField(input, at);
            break;
        case 2:
            std::fill(from, to, static_cast<std::uint8_t>(below(2) * 0xFF));
            break;
        case 3:
            input.erase(from, to);
            break;
        case 4:
            input.resize(at);
            break;
        case 5:
            insert(input, at, Bytes(from, to));
            break;
        default: {
            const auto begin = below(other.size());
            const auto end = begin + std::min(other.size() - begin, below(4096));
            insert(input, at,
                   Bytes(other.begin() + static_cast<std::ptrdiff_t>(begin),
                         other.begin() + static_cast<std::ptrdiff_t>(end)));
        }
        }
    }

    void setField(Bytes& input, std::size_t at) {
        static constexpr std::uint64_t kExtremes[] = {0,
                                                      1,
                                                      0x7F,
                                                      0x80,
                                                      0xFF,
                                                      0x7FFF,
                                                      0xFFFF,
                                                      0x7FFFFFFF,
                                                      0x80000000,
                                                      0xFFFFFFFF,
                                                      0x7FFFFFFFFFFFFFFF,
                                                      ~std::uint64_t{0}};
        const std::size_t bytes = std::size_t{1} << below(4);
        if (input.size() < at + bytes) return;
        std::memcpy(input.data() + at, &kExtremes[below(std::size(kExtremes))], bytes);
    }

    static void insert(Bytes& input, std::size_t at, const Bytes& what) {
        if (input.size() + what.size() > kLargestInput) return;
        input.insert(input.begin() + static_cast<std::ptrdiff_t>(at), what.begin(), what.end());
    }

    std::mt19937_64 random_;
};

struct Arguments {
    double seconds = 0;
    std::uint64_t number = 1;
    std::string found = ".";
    std::vector<Bytes> seeds;
};

void addSeeds(const std::filesystem::path& path, std::vector<Bytes>& seeds) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    auto largest = kLargestInput;
    if (std::filesystem::is_directory(path, error)) {
        for (const auto& entry : std::filesystem::directory_iterator(path, error))
            if (entry.is_regular_file()) files.push_back(entry.path());
        std::sort(files.begin(), files.end());
    } else {
        files.push_back(path);
        largest = kLargestNamed;
    }
    for (const auto& file : files)
        if (std::filesystem::file_size(file, error) <= largest && !error) seeds.push_back(contentOf(file));
}

Arguments read(int count, char** words) {
    Arguments arguments;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        const auto value = [&] { return i + 1 < count ? std::string(words[++i]) : std::string("0"); };
        if (word == "--seconds")
            arguments.seconds = std::atof(value().c_str());
        else if (word == "--number")
            arguments.number = std::strtoull(value().c_str(), nullptr, 10);
        else if (word == "--patience")
            mostSecondsOfAnInput = static_cast<unsigned>(std::atoi(value().c_str()));
        else if (word == "--found")
            arguments.found = value();
        else
            addSeeds(word, arguments.seeds);
    }
    return arguments;
}

} // namespace

int main(int count, char** words) {
    auto arguments = read(count, words);
    std::error_code error;
    std::filesystem::create_directories(arguments.found, error);
    const auto target = std::filesystem::path(words[0]).filename().string();
    keepAs = (std::filesystem::path(arguments.found) / (target + "-" + std::to_string(getpid()))).string();
    for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM})
        std::signal(number, keepAndEnd);
    const auto began = Clock::now();
    std::size_t runs = 0;
    for (const auto& seed : arguments.seeds) {
        run(seed);
        ++runs;
    }
    if (arguments.seeds.empty()) arguments.seeds.emplace_back(64, std::uint8_t{0});
    Changer changer(arguments.number);
    for (; std::chrono::duration<double>(Clock::now() - began).count() < arguments.seconds; ++runs)
        run(changer.changed(arguments.seeds));
    std::printf("Done %zu runs of %zu inputs\n", runs, arguments.seeds.size());
    return 0;
}
