#pragma once

#include "core/base/byte_reader.h"

#include <vector>

namespace highwater::etl {

/// Plain LZ77 XPRESS of [MS-XCA] (not the Huffman form), as used in compressed trace buffers (docs/etl-format.md 1.2).
/// The stream: a 32-bit word of flags, most significant first, then its 32 items. Flag 0: one literal byte. Flag 1:
///   | distance - 1 : 13 | length - 3 : 3 |   a length of 7 is continued in a nibble, a byte, 16 and 32 bits.
/// Pure functions. Any thread.

struct Expansion {
    std::size_t bytes = 0;  ///< written to the front of the output
    std::size_t unread = 0; ///< bytes of the input that were not needed to fill the output
    bool damaged = false;   ///< the stream is invalid; bytes written before that are correct
};

/// Expands until the output is full or the input ends. Reads and writes only inside the two spans. Pass a short output
/// to expand only the start of a buffer.
[[nodiscard]] Expansion xpressDecompress(ByteSpan input, std::span<std::byte> output);

/// Appends the compressed form of `input` to `output`.
void xpressCompress(ByteSpan input, std::vector<std::byte>& output);

} // namespace highwater::etl
