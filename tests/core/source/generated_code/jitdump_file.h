#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace highwater::tests {

/// A jitdump file, written by the specification of Linux.
class JitdumpFile {
  public:
    explicit JitdumpFile(std::uint64_t flags = 0) {
        put<std::uint32_t>(0x4A695444);
        put<std::uint32_t>(1);
        put<std::uint32_t>(40);
        put<std::uint32_t>(62); // x86-64
        put<std::uint32_t>(0);
        put<std::uint32_t>(4242);
        put<std::uint64_t>(1);
        put(flags);
    }
    /// The code's own bytes follow; `codeBytes`: their number, if it differs from the declared one.
    JitdumpFile& load(std::uint64_t time, std::uint64_t start, std::uint64_t size, std::string_view name,
                      std::uint64_t codeBytes = ~std::uint64_t{0}) {
        const auto code = codeBytes == ~std::uint64_t{0} ? size : codeBytes;
        header(0, 16 + 40 + name.size() + 1 + code, time);
        put<std::uint32_t>(4242);
        put<std::uint32_t>(4242);
        put(start);
        put(start);
        put(size);
        put<std::uint64_t>(index_++);
        bytes.append(name).push_back('\0');
        bytes.append(code, '\xCC');
        return *this;
    }
    JitdumpFile& move(std::uint64_t time, std::uint64_t from, std::uint64_t to, std::uint64_t size) {
        header(1, 16 + 48, time);
        put<std::uint32_t>(4242);
        put<std::uint32_t>(4242);
        put(to);
        put(from);
        put(to);
        put(size);
        put<std::uint64_t>(0);
        return *this;
    }
    JitdumpFile& debugInfo(std::uint64_t start) {
        header(2, 16 + 16 + 16 + 7, 1);
        put(start);
        put<std::uint64_t>(1);
        put(start);
        put<std::uint32_t>(3);
        put<std::uint32_t>(0);
        bytes.append("app.js", 7);
        return *this;
    }
    JitdumpFile& close() { return other(3, 16); }
    JitdumpFile& other(std::uint32_t kind, std::uint32_t size) {
        header(kind, size, 1);
        bytes.append(size - 16, '\0');
        return *this;
    }
    std::string bytes;

  private:
    template <typename T>
    void put(T value) {
        char raw[sizeof(T)];
        std::memcpy(raw, &value, sizeof(T));
        bytes.append(raw, sizeof(T));
    }
    void header(std::uint32_t kind, std::size_t size, std::uint64_t time) {
        put(kind);
        put(static_cast<std::uint32_t>(size));
        put(time);
    }
    std::uint64_t index_ = 0;
};

} // namespace highwater::tests
