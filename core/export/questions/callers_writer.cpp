#include "core/export/questions/callers_writer.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/export/cut_list.h"
#include "core/export/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace highwater::exports {
namespace {

using analysis::CallNode, analysis::CallTree;

/// A node with its position in the tree.
struct CallLine {
    const CallNode* node = nullptr;
    std::uint32_t level = 0; ///< 1 for direct callers and callees
    std::size_t more = 0;    ///< instead of a node: number of omitted nodes
};

/// Depth first. Not recursive, because stacks may be deep.
std::vector<CallLine> linesOf(const CallTree& tree, CallersPart part) {
    std::vector<CallLine> lines;
    std::vector<CallLine> waiting;
    const auto push = [&](const CallNode& node, std::uint32_t level) {
        if (part.depth > 0 && level > part.depth) return;
        const auto count = part.top == 0 ? node.children.size() : std::min<std::size_t>(part.top, node.children.size());
        if (count < node.children.size()) waiting.push_back({nullptr, level, node.children.size() - count});
        for (auto i = count; i-- > 0;)
            waiting.push_back({&tree.nodes()[node.children[i]], level, 0});
    };
    push(tree.nodes()[0], 1);
    while (!waiting.empty()) {
        const auto line = waiting.back();
        waiting.pop_back();
        lines.push_back(line);
        if (line.node != nullptr) push(*line.node, line.level + 1);
    }
    return lines;
}

std::string signedText(std::uint64_t number) {
    const auto value = static_cast<std::int64_t>(number);
    return value < 0 ? "-" + thousands(0 - number) : thousands(number);
}

void writeTree(const char* title, const CallTree& tree, CallersPart part, std::ostream& out) {
    out << fmt::format("\n{}\n{:>12}  {:>16}  {:>16}\n", title, "Count", "Impacting Size", "Size");
    for (const auto& [node, level, more] : linesOf(tree, part)) {
        const std::string indent((level - 1) * 2, ' ');
        if (node == nullptr)
            out << fmt::format("{:48}  {}({})\n", "", indent, moreOfList(more, "function"));
        else
            out << fmt::format("{:>12}  {:>16}  {:>16}  {}{}\n", thousands(node->sums.count),
                               signedText(node->sums.impacting), thousands(node->sums.size), indent,
                               printable(node->function));
    }
}

Json sumsJson(const CallNode& node) {
    return {{"count", node.sums.count},
            {"impacting_bytes", static_cast<std::int64_t>(node.sums.impacting)},
            {"bytes", node.sums.size}};
}

/// A flat list in tree order with the level of each node, because stacks may be nested deeper than JSON parsers
/// support.
Json treeJson(const CallTree& tree, CallersPart part) {
    auto json = Json::array();
    for (const auto& [node, level, more] : linesOf(tree, part)) {
        if (node == nullptr) {
            json.push_back({{"level", level}, {"function", nullptr}, {"more", more}});
            continue;
        }
        auto line = Json{{"level", level}, {"function", node->function}};
        line.update(sumsJson(*node));
        json.push_back(std::move(line));
    }
    return json;
}

} // namespace

void writeCallersText(const analysis::CallersQuery& query, const analysis::Callers& callers, CallersPart part,
                      std::ostream& out) {
    const auto& sums = callers.callees.nodes()[0].sums;
    out << fmt::format("{}, {} s to {} s\n{}: {}, Impacting Size {}, Size {}\n", analysis::tableTitle(query.table),
                       allDecimals(query.interval.start), allDecimals(query.interval.end), printable(callers.function),
                       counted(sums.count, "row"), signedText(sums.impacting), thousands(sums.size));
    writeTree("Callers", callers.callers, part, out);
    writeTree("Callees", callers.callees, part, out);
}

void writeCallersJson(const analysis::CallersQuery& query, const analysis::Callers& callers, CallersPart part,
                      const HealthReport& health, std::ostream& out) {
    Json json{{"schema_version", kSchemaVersion},
              {"table", std::string(analysis::tableWord(query.table))},
              {"interval", intervalJson(query.interval)},
              {"function", callers.function}};
    json.update(sumsJson(callers.callees.nodes()[0]));
    json["callers"] = treeJson(callers.callers, part);
    json["callees"] = treeJson(callers.callees, part);
    json["health"] = healthJson(health);
    out << dumped(json) << '\n';
}

} // namespace highwater::exports
