#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater::analysis {

/// An element of an XML file, with what a file of stack tags needs of it.
struct XmlElement {
    std::string name;
    std::vector<std::pair<std::string, std::string>> attributes; ///< entities of XML's own are characters
    std::uint32_t line = 0;                                      ///< where it begins, from 1
    std::vector<XmlElement> elements;
    /// Nothing: it has no such attribute.
    [[nodiscard]] std::optional<std::string_view> attribute(std::string_view called) const;
};

/// Files of people: what is larger or deeper is something else.
inline constexpr std::size_t kMostXmlBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMostXmlDepth = 256;

/// The outermost elements of a file in UTF-8 or UTF-16. Comments, text and processing instructions are passed over,
/// document types too: no entity of them is opened, and one in a tag is an error. Errors: Damaged, NotATrace,
/// Unsupported, with a sentence that goes behind the file's name ("line 4: ..."). Any thread.
[[nodiscard]] Result<std::vector<XmlElement>> readXml(std::string_view bytes);

} // namespace highwater::analysis
