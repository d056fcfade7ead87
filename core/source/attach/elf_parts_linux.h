#pragma once

#include <cstdint>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <vector>

namespace highwater::source {

/// Parts of a file, which may be damaged. Those beyond its end, or larger than 512 MB, are empty. One thread.
class ElfParts {
  public:
    explicit ElfParts(const std::filesystem::path& path);

    template <typename T>
    [[nodiscard]] std::vector<T> read(std::uint64_t at, std::uint64_t bytes) {
        std::vector<T> part;
        if (at > bytes_ || bytes > bytes_ - at || bytes > kMostBytes) return part;
        part.resize(bytes / sizeof(T));
        file_.clear();
        file_.seekg(static_cast<std::streamoff>(at));
        if (!file_.read(reinterpret_cast<char*>(part.data()), static_cast<std::streamsize>(part.size() * sizeof(T))))
            part.clear();
        return part;
    }

  private:
    static constexpr std::uint64_t kMostBytes = 512u << 20;
    std::ifstream file_;
    std::uint64_t bytes_ = 0;
};

/// The section headers of a 64-bit ELF file; none if it is another file.
[[nodiscard]] std::vector<Elf64_Shdr> elfSections(ElfParts& file);

/// Where a library has a function that it exports, from its lowest address in memory. Nothing: it has none.
[[nodiscard]] std::optional<std::uint64_t> offsetOfFunction(const std::filesystem::path& library,
                                                            std::string_view name);

} // namespace highwater::source
