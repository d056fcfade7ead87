#include "core/symbols/demangling/itanium_name.h"

#include <llvm/Demangle/ItaniumDemangle.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace highwater::symbols {
namespace {

namespace itanium = llvm::itanium_demangle;

constexpr std::uint64_t kMostPrintedBytes = 256 * 1024;
/// Usual length of a node's own text: ", ", " const&"; some nodes write "decltype(".
constexpr std::uint64_t kNodeBytes = 4;
/// Parser, measurement and printer recurse once per level.
constexpr int kDeepestName = 1000;
constexpr std::size_t kMostParserBytes = std::size_t{16} << 20;

/// Thrown out of LLVM's templates, which are compiled here, and caught here.
struct NameTooLarge {};

class DepthGuard {
  public:
    explicit DepthGuard(int& depth) : depth_(depth) {
        if (depth_ == kDeepestName) throw NameTooLarge();
        ++depth_;
    }
    ~DepthGuard() { --depth_; }
    DepthGuard(const DepthGuard&) = delete;
    DepthGuard& operator=(const DepthGuard&) = delete;

  private:
    int& depth_;
};

/// Memory for the nodes of one name, freed as a whole.
class NodeAllocator {
  public:
    void reset() {
        blocks_.clear();
        left_ = 0;
        taken_ = 0;
    }
    template <typename T, typename... Args>
    T* makeNode(Args&&... args) {
        return new (take(sizeof(T))) T(std::forward<Args>(args)...);
    }
    void* allocateNodeArray(std::size_t count) { return take(count * sizeof(itanium::Node*)); }

  private:
    void* take(std::size_t bytes) {
        constexpr std::size_t kBlock = 4096;
        bytes = (bytes + alignof(std::max_align_t) - 1) / alignof(std::max_align_t) * alignof(std::max_align_t);
        if (bytes > kMostParserBytes - taken_) throw NameTooLarge();
        taken_ += bytes;
        if (bytes > left_) {
            left_ = std::max(bytes, kBlock);
            blocks_.push_back(std::make_unique<std::max_align_t[]>(left_ / sizeof(std::max_align_t)));
            next_ = reinterpret_cast<std::byte*>(blocks_.back().get());
        }
        left_ -= bytes;
        return std::exchange(next_, next_ + bytes);
    }

    std::vector<std::unique_ptr<std::max_align_t[]>> blocks_;
    std::byte* next_ = nullptr;
    std::size_t left_ = 0;
    std::size_t taken_ = 0;
};

/// Everything that can contain itself is parsed through one of these.
struct BoundedParser : itanium::AbstractManglingParser<BoundedParser, NodeAllocator> {
    using Base = itanium::AbstractManglingParser<BoundedParser, NodeAllocator>;
    using Base::Base;

    itanium::Node* parseType() {
        return nested([this] { return Base::parseType(); });
    }
    itanium::Node* parseExpr() {
        return nested([this] { return Base::parseExpr(); });
    }
    itanium::Node* parseTemplateArg() {
        return nested([this] { return Base::parseTemplateArg(); });
    }
    itanium::Node* parseConstraintExpr() {
        return nested([this] { return Base::parseConstraintExpr(); });
    }
    itanium::Node* parseBracedExpr() {
        return nested([this] { return Base::parseBracedExpr(); });
    }
    /// GCC writes std::is_array<T> without the N and E of a nested name, which LLVM does not support.
    itanium::Node* parseUnresolvedType() {
        if (consumeIf("St")) return standardType();
        return nested([this] { return Base::parseUnresolvedType(); });
    }
    itanium::Node* parseName(NameState* state = nullptr) {
        return nested([this, state] { return Base::parseName(state); });
    }
    itanium::Node* parseEncoding(bool withParameters = true) {
        return nested([this, withParameters] { return Base::parseEncoding(withParameters); });
    }
    itanium::Node* parseTemplateParamDecl(TemplateParamList* parameters) {
        return nested([this, parameters] { return Base::parseTemplateParamDecl(parameters); });
    }

  private:
    itanium::Node* standardType() {
        auto* name = parseSourceName(nullptr);
        if (name == nullptr) return nullptr;
        auto* qualified = make<itanium::NestedName>(make<itanium::NameType>("std"), name);
        Subs.push_back(qualified);
        return qualified;
    }
    template <typename Parse>
    itanium::Node* nested(Parse parse) {
        const DepthGuard guard(depth_);
        return parse();
    }
    int depth_ = 0;
};

/// The length of a tree's text, up to a small factor, computed without writing it.
class PrintedLength {
  public:
    std::uint64_t of(const itanium::Node* root) { return measure(root).bytes; }

  private:
    struct Measure {
        std::uint64_t bytes = 0;
        std::uint64_t pack = 0; ///< elements of the largest nested pack that is not expanded yet
    };

    Measure measure(const itanium::Node* node) {
        if (node == nullptr) return {};
        const auto [known, isNew] = measures_.try_emplace(node); // a node that contains itself writes nothing there
        if (!isNew) return known->second;
        const DepthGuard guard(depth_);
        Measure sum{kNodeBytes, 0};
        node->visit([this, &sum](const auto* actual) { addParts(actual, sum); });
        if (sum.bytes > kMostPrintedBytes) throw NameTooLarge();
        return measures_[node] = sum;
    }

    template <typename T>
    void addParts(const T* node, Measure& sum) {
        node->match([this, &sum](const auto&... parts) { (add(parts, sum), ...); });
    }
    /// Written once for each element.
    void addParts(const itanium::ParameterPackExpansion* node, Measure& sum) {
        const auto child = measure(node->getChild());
        sum.bytes += child.bytes * std::max<std::uint64_t>(child.pack, 1);
    }
    /// One element at a time.
    void addParts(const itanium::ParameterPack* node, Measure& sum) {
        node->match([this, &sum](itanium::NodeArray elements) {
            std::uint64_t longest = 0;
            for (const auto* element : elements) {
                const auto part = measure(element);
                longest = std::max(longest, part.bytes);
                sum.pack = std::max(sum.pack, part.pack);
            }
            sum.bytes += longest;
            sum.pack = std::max<std::uint64_t>(sum.pack, elements.size());
        });
    }
    void addParts(const itanium::ForwardTemplateReference* node, Measure& sum) { add(node->Ref, sum); }
    void addParts(const itanium::ExpandedSpecialSubstitution*, Measure& sum) {
        sum.bytes += sizeof("std::basic_iostream<char, std::char_traits<char>, std::allocator<char>>");
    }
    void addParts(const itanium::SpecialSubstitution*, Measure& sum) { sum.bytes += sizeof("std::basic_iostream"); }

    void add(const itanium::Node* part, Measure& sum) {
        const auto measured = measure(part);
        sum.bytes += measured.bytes;
        sum.pack = std::max(sum.pack, measured.pack);
    }
    void add(itanium::NodeArray parts, Measure& sum) {
        for (const auto* part : parts)
            add(part, sum);
    }
    void add(std::string_view text, Measure& sum) { sum.bytes += text.size(); }
    template <typename T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void add(T, Measure& sum) { sum.bytes += kNodeBytes; }

    std::unordered_map<const itanium::Node*, Measure> measures_;
    int depth_ = 0;
};

std::string printed(const itanium::Node& root) {
    itanium::OutputBuffer out;
    root.print(out);
    const std::unique_ptr<char, decltype(&std::free)> memory(out.getBuffer(), &std::free);
    return {memory.get(), out.getCurrentPosition()};
}

} // namespace

std::optional<std::string> demangleItanium(std::string_view name) try {
    BoundedParser parser(name.data(), name.data() + name.size());
    const auto* root = parser.parse();
    if (root == nullptr) return std::nullopt;
    PrintedLength().of(root); // throws
    return printed(*root);
} catch (const NameTooLarge&) {
    return std::nullopt;
}

} // namespace highwater::symbols
