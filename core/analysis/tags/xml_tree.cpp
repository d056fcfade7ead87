#include "core/analysis/tags/xml_tree.h"

#include "core/base/byte_reader.h"
#include "core/base/text.h"

// A pool of the library holds one node, so that every node is allocated by allocateNode().
#define RAPIDXML_STATIC_POOL_SIZE 64
#define RAPIDXML_DYNAMIC_POOL_SIZE 64
#include <rapidxml/rapidxml.hpp>

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <new>

namespace highwater::analysis {
namespace {

constexpr std::string_view kUtf16Mark = "\xFF\xFE";
constexpr std::string_view kSwappedUtf16Mark = "\xFE\xFF";

/// The library is recursive for nested elements.
struct TooDeep {};
constexpr std::size_t kMostStack = std::size_t{192} << 10;
thread_local std::uintptr_t stackBegin = 0;

std::uintptr_t stackHere() { return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)); }

void* allocateNode(std::size_t bytes) {
    const auto here = stackHere();
    if (std::max(here, stackBegin) - std::min(here, stackBegin) > kMostStack) throw TooDeep();
    if (auto* memory = std::malloc(bytes)) return memory; // NOLINT(cppcoreguidelines-no-malloc): the library's own way
    throw std::bad_alloc();
}

void freeNode(void* memory) { std::free(memory); } // NOLINT(cppcoreguidelines-no-malloc)

Error damaged(std::string what) { return {ErrorKind::Damaged, std::move(what)}; }

/// Converts the library's tree to XmlElement.
class Tree {
  public:
    /// buffer: the text as modified by the library. text: the original with all line ends.
    Tree(const char* buffer, std::string_view text) : buffer_(buffer), text_(text) {}

    [[nodiscard]] XmlElement element(const rapidxml::xml_node<>& node, std::size_t depth) {
        if (depth > kMostXmlDepth) throw TooDeep();
        XmlElement made;
        made.name.assign(node.name(), node.name_size());
        made.line = lineOf(node.name());
        for (const auto* each = node.first_attribute(); each != nullptr; each = each->next_attribute())
            made.attributes.emplace_back(std::string(each->name(), each->name_size()),
                                         std::string(each->value(), each->value_size()));
        made.elements = elements(node, depth + 1);
        return made;
    }
    [[nodiscard]] std::vector<XmlElement> elements(const rapidxml::xml_node<>& parent, std::size_t depth) {
        std::vector<XmlElement> made;
        for (const auto* node = parent.first_node(); node != nullptr; node = node->next_sibling())
            if (node->type() == rapidxml::node_element) made.push_back(element(*node, depth));
        return made;
    }
    /// For positions in ascending order.
    [[nodiscard]] std::uint32_t lineOf(const char* place) {
        const auto end = std::min(static_cast<std::size_t>(place - buffer_), text_.size());
        for (; at_ < end; ++at_)
            if (text_[at_] == '\n') ++line_;
        return line_;
    }

  private:
    const char* buffer_;
    std::string_view text_;
    std::size_t at_ = 0;
    std::uint32_t line_ = 1;
};

/// An entity inside a tag that is not predefined, which the library does not replace.
struct Entity {
    std::string_view name;
    std::size_t at = 0;
};
class EntityFinder {
  public:
    explicit EntityFinder(std::string_view text) : text_(text) {}

    [[nodiscard]] std::optional<Entity> find() {
        while (at_ < text_.size()) {
            if (skips("<!--", "-->") || skips("<![CDATA[", "]]>") || skips("<?", "?>") || skipsDocumentType()) continue;
            if (text_[at_] == '<')
                isInTag_ = true;
            else if (text_[at_] == '>')
                isInTag_ = false;
            else if (isInTag_ && text_[at_] == '&' && !isKnown())
                return Entity{nameHere(), at_};
            ++at_;
        }
        return std::nullopt;
    }

  private:
    bool skips(std::string_view begin, std::string_view end) {
        if (isInTag_ || !text_.substr(at_).starts_with(begin)) return false;
        at_ = std::min(text_.find(end, at_ + begin.size()), text_.size() - end.size()) + end.size();
        return true;
    }
    /// Including the declarations in its brackets.
    bool skipsDocumentType() {
        if (isInTag_ || !text_.substr(at_).starts_with("<!")) return false;
        for (int open = 0; at_ < text_.size(); ++at_) {
            if (text_[at_] == '[' || text_[at_] == '<') ++open;
            if (text_[at_] == ']' || text_[at_] == '>') --open;
            if (open == 0) break;
        }
        return true;
    }
    [[nodiscard]] std::string_view nameHere() const {
        const auto end = text_.find_first_of(";\"'<>& \t\r\n", at_ + 1);
        if (end == std::string_view::npos || text_[end] != ';' || end == at_ + 1) return {};
        return text_.substr(at_, end + 1 - at_);
    }
    /// A lone & is not an entity, contrary to the XML standard.
    [[nodiscard]] bool isKnown() const {
        const auto name = nameHere();
        return name.empty() || name.starts_with("&#") || name == "&amp;" || name == "&lt;" || name == "&gt;" ||
               name == "&quot;" || name == "&apos;";
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool isInTag_ = false;
};

Result<std::vector<XmlElement>> parse(std::string_view text) {
    if (const auto entity = EntityFinder(text).find()) {
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(entity->at), '\n');
        return Error{
            ErrorKind::Unsupported,
            fmt::format(
                "line {} has the entity {}, but only predefined XML entities are supported; write its text instead",
                line, startOfText(entity->name, 60))};
    }
    std::string buffer(text);
    buffer.append(4, '\0'); // the library reads up to three characters ahead
    rapidxml::xml_document<> document;
    document.set_allocator(&allocateNode, &freeNode);
    stackBegin = stackHere();
    try {
        document.parse<rapidxml::parse_validate_closing_tags | rapidxml::parse_no_data_nodes>(buffer.data());
        auto elements = Tree(buffer.data(), text).elements(document, 1);
        if (elements.empty()) return Error{ErrorKind::NotATrace, "it contains no XML element"};
        return elements;
    } catch (const rapidxml::parse_error& error) {
        const auto* place = error.where<char>();
        const auto line = Tree(buffer.data(), text).lineOf(place == nullptr ? buffer.data() : place);
        return damaged(fmt::format("line {} is not valid XML: {}", line, error.what()));
    } catch (const TooDeep&) {
        return damaged(fmt::format("its elements are nested more than {} levels deep", kMostXmlDepth));
    }
}

} // namespace

std::optional<std::string_view> XmlElement::attribute(std::string_view called) const {
    const auto found = std::ranges::find(attributes, called, [](const auto& each) { return each.first; });
    return found == attributes.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

Result<std::vector<XmlElement>> readXml(std::string_view bytes) {
    if (bytes.empty()) return Error{ErrorKind::NotATrace, "it is empty"};
    if (bytes.size() > kMostXmlBytes)
        return Error{ErrorKind::NotATrace, fmt::format("it is larger than {}", megabytes(kMostXmlBytes))};
    if (bytes.starts_with(kSwappedUtf16Mark))
        return Error{ErrorKind::Unsupported, "it is big-endian UTF-16; save it as UTF-8"};
    std::string converted;
    if (bytes.starts_with(kUtf16Mark)) {
        const auto units = bytes.substr(kUtf16Mark.size());
        converted = ByteReader({reinterpret_cast<const std::byte*>(units.data()), units.size()}).takeUtf16();
        bytes = converted;
    }
    if (const auto nul = bytes.find('\0'); nul != std::string_view::npos) {
        const auto line = 1 + std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
        return damaged(fmt::format("line {} contains a null byte", line));
    }
    return parse(bytes);
}

} // namespace highwater::analysis
