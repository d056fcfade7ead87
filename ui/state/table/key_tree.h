#pragma once

#include "core/analysis/query/row_filter.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace highwater::ui {

/// A set of row paths, stored as a tree so that one walk of a table can process it: a hundred thousand open rows are
/// looked up step by step instead of each from the top. A plain value.
class KeyTree {
  public:
    using NodeId = std::uint32_t;
    static constexpr NodeId kRoot = 0;

    KeyTree() = default;
    explicit KeyTree(const std::vector<analysis::KeyPath>& paths);

    void insert(const analysis::KeyPath& path);
    void remove(const analysis::KeyPath& path);
    void clear() { *this = KeyTree(); }

    [[nodiscard]] bool contains(const analysis::KeyPath& path) const;
    [[nodiscard]] bool isEmpty() const { return count_ == 0; }
    [[nodiscard]] std::size_t size() const { return count_; }
    /// In insertion order.
    [[nodiscard]] std::vector<analysis::KeyPath> paths() const;

    /// One step further down, for walks; nothing if no path continues there.
    [[nodiscard]] std::optional<NodeId> child(NodeId node, analysis::KeyStep step) const;
    [[nodiscard]] bool isMember(NodeId node) const { return nodes_[node].isMember; }
    [[nodiscard]] bool hasChildren(NodeId node) const { return nodes_[node].children > 0; }
    /// Number of steps that child() finds from here: a walk that has found them all need not check further rows.
    [[nodiscard]] std::uint32_t childCount(NodeId node) const { return nodes_[node].children; }

  private:
    struct Node {
        NodeId parent = kRoot;
        analysis::KeyStep step;
        std::uint32_t children = 0;
        bool isMember = false;
    };
    struct Edge {
        NodeId parent = kRoot;
        analysis::KeyStep step;
        friend bool operator==(const Edge&, const Edge&) = default;
    };
    struct HashEdge {
        std::size_t operator()(const Edge& edge) const noexcept;
    };
    [[nodiscard]] std::optional<NodeId> find(const analysis::KeyPath& path) const;
    [[nodiscard]] analysis::KeyPath pathOf(NodeId node) const;

    std::vector<Node> nodes_{Node{}}; ///< parents before children
    std::unordered_map<Edge, NodeId, HashEdge> children_;
    std::size_t count_ = 0;
};

} // namespace highwater::ui
