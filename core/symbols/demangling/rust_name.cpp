#include "core/symbols/demangling/rust_name.h"

#include <cstdint>

namespace highwater::symbols {
namespace {

constexpr std::uint64_t kMostRustSteps = 64 * 1024; ///< parts and characters of names that would be written
constexpr int kDeepestRustName = 300;

/// Walks over the parts of a name, including each reference. Stops at the first invalid part, or when there are too
/// many.
class RustNameWalk {
  public:
    explicit RustNameWalk(std::string_view text) : text_(text) {}

    bool run() {
        path();
        if (!failed_ && at_ < text_.size() && text_[at_] != '.' && text_[at_] != '$')
            path(); // where it was instantiated
        return !failed_;
    }

  private:
    /// A nested part. Fails if there are too many, or if they are nested too deeply.
    class Inside {
      public:
        explicit Inside(RustNameWalk& walk) : walk_(walk) {
            if (++walk_.depth_ > kDeepestRustName) walk_.failed_ = true;
            walk_.count(1);
        }
        ~Inside() { --walk_.depth_; }
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

      private:
        RustNameWalk& walk_;
    };

    void count(std::uint64_t steps) {
        steps_ += steps;
        if (steps_ > kMostRustSteps) failed_ = true;
    }
    char look() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    char take() {
        if (at_ < text_.size()) return text_[at_++];
        failed_ = true;
        return '\0';
    }
    bool takeIf(char c) {
        if (look() != c) return false;
        ++at_;
        return true;
    }

    static int digitOf(char c) {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'z') return c - 'a' + 10;
        return c >= 'A' && c <= 'Z' ? c - 'A' + 36 : -1;
    }
    /// "_" is 0, "0_" is 1.
    std::uint64_t base62() {
        if (takeIf('_')) return 0;
        std::uint64_t value = 0;
        for (char c = take(); c != '_' && !failed_; c = take()) {
            const int digit = digitOf(c);
            // Crates have hashes, which use all 64 bits.
            const auto add = static_cast<std::uint64_t>(digit < 0 ? 0 : digit);
            if (digit < 0 || value > (UINT64_MAX - 1 - add) / 62) failed_ = true;
            value = value * 62 + add;
        }
        return value + 1;
    }
    /// The identifier without the number that distinguishes it from others of its name.
    void plainIdentifier() {
        const bool isPunycode = takeIf('u');
        std::uint64_t bytes = 0;
        if (digitOf(look()) < 0 || digitOf(look()) > 9) failed_ = true;
        while (look() >= '0' && look() <= '9' && bytes <= text_.size())
            bytes = bytes * 10 + static_cast<std::uint64_t>(take() - '0');
        takeIf('_');
        if (bytes > text_.size() - at_) failed_ = true;
        if (failed_) return;
        at_ += bytes;
        count(isPunycode ? bytes * 4 : bytes);
    }
    void identifier() {
        if (takeIf('s')) base62();
        plainIdentifier();
    }
    void binder() {
        if (takeIf('G')) count(base62()); // each lifetime is written
    }
    void lifetime() {
        if (takeIf('L')) base62();
    }

    /// Reads a referenced part, which must start before the reference.
    template <typename Part>
    void referTo(Part part) {
        const auto here = at_ - 1;
        const auto there = base62();
        if (there >= here) failed_ = true;
        if (failed_) return;
        const auto next = at_;
        at_ = static_cast<std::size_t>(there);
        part();
        at_ = next;
    }
    template <typename Part>
    void untilEnd(Part part) {
        while (!failed_ && !takeIf('E'))
            part();
    }

    void path() {
        const Inside inside(*this);
        if (failed_) return;
        switch (take()) {
        case 'C':
            return identifier();
        case 'M':
            implementation();
            return type();
        case 'X':
            implementation();
            type();
            return path();
        case 'Y':
            type();
            return path();
        case 'N':
            take();
            path();
            return failed_ ? void() : identifier();
        case 'I':
            path();
            return untilEnd([this] { argument(); });
        case 'B':
            return referTo([this] { path(); });
        default:
            failed_ = true;
        }
    }
    void implementation() {
        if (takeIf('s')) base62();
        path();
    }
    void argument() {
        if (look() == 'L') return lifetime();
        return takeIf('K') ? constant() : type();
    }

    void type() {
        const Inside inside(*this);
        if (failed_) return;
        const char c = look();
        if (c >= 'a' && c <= 'z') {
            ++at_;
            return;
        }
        switch (c) {
        case 'A':
            ++at_;
            type();
            return constant();
        case 'S':
        case 'P':
        case 'O':
            ++at_;
            return type();
        case 'R':
        case 'Q':
            ++at_;
            lifetime();
            return type();
        case 'T':
            ++at_;
            return untilEnd([this] { type(); });
        case 'F':
            ++at_;
            return function();
        case 'D':
            ++at_;
            return traits();
        case 'B':
            ++at_;
            return referTo([this] { type(); });
        default:
            return path();
        }
    }
    void function() {
        binder();
        takeIf('U');
        if (takeIf('K') && !takeIf('C')) plainIdentifier();
        untilEnd([this] { type(); });
        type();
    }
    void traits() {
        binder();
        untilEnd([this] {
            path();
            while (!failed_ && takeIf('p')) {
                plainIdentifier();
                if (takeIf('K')) {
                    constant();
                } else {
                    type();
                }
            }
        });
        lifetime();
    }
    void constant() {
        const Inside inside(*this);
        if (failed_ || takeIf('p')) return;
        if (takeIf('B')) return referTo([this] { constant(); });
        take(); // a basic type
        takeIf('n');
        while (!failed_ && !takeIf('_')) {
            take();
            count(1);
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::uint64_t steps_ = 0;
    int depth_ = 0;
    bool failed_ = false;
};

} // namespace

bool isBoundedRustName(std::string_view name) {
    if (name.starts_with("_R")) name.remove_prefix(2);
    return RustNameWalk(name).run();
}

} // namespace highwater::symbols
