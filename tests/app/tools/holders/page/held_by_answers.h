#pragma once

#include "app/tools/holders/page/held_by_flames.h"
#include "app/tools/holders/page/held_by_model.h"
#include "core/analysis/pictures/picture_rows.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace highwater::tests {

/// Fills in the answer for one process.
class HeldByBuilder {
  public:
    HeldByBuilder(std::uint32_t process, std::string name, double second)
        : picture_(std::make_shared<MemoryPicture>()) {
        picture_->time = TraceTime{static_cast<std::int64_t>(second * 1e9)};
        answer_.process = ProcessIndex{process};
        answer_.name = std::move(name);
        stacks_ = std::make_shared<analysis::OwnerStacks>();
    }
    /// Roots before steps, unreachable blocks last among them. Returns the node.
    std::uint32_t root(const std::string& text, std::optional<RootKind> kind, ByteCount retained) {
        if (kind) picture_->roots.push_back({.address = 0x1000 * (picture_->roots.size() + 1), .kind = *kind});
        answer_.holderTexts.push_back(kind ? static_cast<std::uint32_t>(answer_.nodes.size()) + 1 : 0);
        answer_.nodes.emplace_back().text = text;
        const auto node = static_cast<std::uint32_t>(answer_.nodes.size() - 1);
        answer_.holders.push_back({text, kind, {}, retained, 0, node, {}});
        return node;
    }
    /// With blocks of its own, whose owner has this label.
    std::uint32_t step(std::uint32_t parent, const std::string& text, analysis::BlockSum own, std::uint32_t owner = 5,
                       Reachability reachability = Reachability::Reachable) {
        auto& added = answer_.nodes.emplace_back();
        added.parent = parent;
        added.text = text;
        added.own = own;
        added.owner = owner;
        stacks_->try_emplace(owner, std::set<std::vector<std::uint64_t>>{{owner}, {owner + 100, owner}});
        auto& sum = answer_.sums[static_cast<std::size_t>(reachability)];
        sum = {sum.count + own.count, sum.bytes + own.bytes};
        for (auto at = static_cast<std::uint32_t>(answer_.nodes.size() - 1); at != analysis::HeldNode::kNoParent;
             at = answer_.nodes[at].parent) {
            auto& node = answer_.nodes[at];
            node.all = {node.all.count + own.count, node.all.bytes + own.bytes};
            if (reachability != Reachability::Reachable) node.uncertain += own.count;
        }
        return static_cast<std::uint32_t>(answer_.nodes.size() - 1);
    }
    [[nodiscard]] analysis::HeldBy done(std::vector<std::string> cautions = {}) {
        for (auto& holder : answer_.holders)
            holder.held = answer_.nodes[holder.node].all;
        answer_.picture = picture_;
        answer_.stacks = stacks_;
        answer_.cautions = std::move(cautions);
        return answer_;
    }

  private:
    std::shared_ptr<MemoryPicture> picture_;
    std::shared_ptr<analysis::OwnerStacks> stacks_;
    analysis::HeldBy answer_{};
};

/// A server: g_sessions with a table, its sessions and their texts; a stack; and leaks, the smallest.
inline analysis::HeldBy heldOfServer(double second = 4) {
    HeldByBuilder server(0, "server (7)", second);
    const auto sessions = server.root("server!g_sessions", RootKind::Variable, 5100);
    const auto stack = server.root("stack of main (7)", RootKind::Stack, 0);
    const auto lost = server.root(analysis::kNoHolder, std::nullopt, 70);
    const auto table = server.step(sessions, "server!makeTable", {1, 100}, 5);
    const auto session = server.step(table, "server!Session::Session", {10, 1000}, 6);
    server.step(session, "server!readName", {10, 500}, 7);
    server.step(session, "server!readText", {10, 4000}, 8, Reachability::Possible);
    server.step(stack, "server!main", {1, 200}, 9);
    server.step(lost, "server!leak", {2, 60}, 10, Reachability::Unreachable);
    return server.done({"Events were lost."});
}

inline std::shared_ptr<const ui::HeldByAnswer> answerOfHeld(std::vector<analysis::HeldBy> processes) {
    ui::HeldByAnswer answer;
    answer.query.interval = answer.query.pictures = {TraceTime{0}, TraceTime{5'000'000'000}};
    answer.found.rows = ui::heldRowsOf(processes);
    answer.found.flames = std::make_shared<const ui::FlameAnswer>(ui::heldFlamesOf(processes));
    answer.found.processes = std::move(processes);
    for (const auto& process : answer.found.processes)
        answer.found.pictures.push_back({process.picture->time, process.process, process.name});
    return std::make_shared<const ui::HeldByAnswer>(std::move(answer));
}

} // namespace highwater::tests
