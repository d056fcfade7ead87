#pragma once

#include "core/symbols/answers/il_address.h"
#include "core/symbols/answers/symbol_file.h"
#include "tests/fixtures/managed_pdbs.h"

#include <QString>

#include <random>
#include <string>
#include <vector>

namespace highwater::tests {

/// A managed module with lines of every kind: several documents in a method, hidden ones, large steps in both
/// directions.
inline fixtures::ManagedLines randomLines(std::mt19937& random, std::size_t methods) {
    fixtures::ManagedLines lines;
    lines.guid = Guid{static_cast<std::uint32_t>(random()), 2, 3, {4, 5}};
    lines.documents = {"C:\\src\\App\\Program.cs", "/src/App/Größe.cs", "plain.cs"};
    for (std::size_t i = 0; i < methods; ++i) {
        auto& points = lines.methods.emplace_back();
        std::uint32_t il = random() % 2 == 0 ? 0 : static_cast<std::uint32_t>(random() % 5);
        auto document = static_cast<std::uint32_t>(1 + random() % 3);
        for (auto left = random() % 8; left > 0; --left) {
            const std::uint32_t reach = random() % 4 == 0 ? 0x30000 : random() % 2 == 0 ? 0x200 : 30;
            const auto line = random() % 5 == 0 ? 0 : static_cast<std::uint32_t>(1 + random() % reach);
            if (random() % 6 == 0) document = static_cast<std::uint32_t>(1 + random() % 3);
            points.push_back({il, line, document});
            il += static_cast<std::uint32_t>(1 + random() % (random() % 10 == 0 ? 0x5000 : 20));
        }
    }
    return lines;
}

/// "file:line" of a place in IL, from the list alone: the last line that starts at or before it.
inline std::string lineByRecount(const fixtures::ManagedLines& lines, symbols::IlPlace place) {
    const auto row = symbols::methodRow(place.token);
    if (row == 0 || row > lines.methods.size()) return {};
    std::string found;
    for (const auto& point : lines.methods[row - 1])
        if (point.ilOffset <= place.offset && point.line != 0)
            found = lines.documents[point.document - 1] + ":" + std::to_string(point.line);
    return found;
}

inline std::string lineAt(const symbols::ResolvedAddresses& names, std::size_t address) {
    if (names.firstFrame[address] == names.firstFrame[address + 1]) return {};
    const auto& frame = names.frames[names.firstFrame[address]];
    return names.files[frame.file] + ":" + std::to_string(frame.line);
}

/// Empty: all places of the module have the expected lines, in whatever order they are looked up.
inline QString firstDifference(symbols::SymbolFile& file, const fixtures::ManagedLines& lines, std::mt19937& random) {
    std::vector<symbols::Rva> asked{0x1000, 0};
    std::vector<symbols::IlPlace> places{{}, {}};
    for (int i = 0; i < 200; ++i) {
        const auto token = 0x06000000 + static_cast<std::uint32_t>(random() % (lines.methods.size() + 2));
        places.push_back({token, static_cast<std::uint32_t>(random() % (i % 10 == 0 ? 0x10000 : 100))});
        asked.push_back(symbols::ilAddress(places.back()));
    }
    const auto names = file.resolve(asked);
    if (names.addressCount() != asked.size()) return "other number of answers";
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const auto expected = i < 2 ? std::string() : lineByRecount(lines, places[i]);
        if (lineAt(names, i) != expected)
            return QString("%1+%2: %3, not %4")
                .arg(places[i].token, 0, 16)
                .arg(places[i].offset)
                .arg(QString::fromStdString(lineAt(names, i)), QString::fromStdString(expected));
    }
    return {};
}

} // namespace highwater::tests
