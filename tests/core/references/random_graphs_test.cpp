#include "core/references/retained.h"
#include "tests/core/references/fake_process.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

// Compares findReferences() and RetainedSizes with their definitions, computed naively from the list of references.

using namespace highwater;
using namespace highwater::tests;

namespace {

constexpr auto kNone = PictureBlock::kNone;

constexpr const char* kThreadName = "worker";

/// A variable, the rest of the data of a file, a frame, the rest of a stack, the registers of a thread etc.
struct Root {
    RootKind kind = RootKind::Variable;
    std::string name;
    std::uint32_t thread = 0;
    friend bool operator==(const Root&, const Root&) = default;
};

struct Edge {
    std::uint32_t from = 0; ///< a block, or number of blocks + a root
    std::uint32_t to = 0;
    bool isCertain = true;
};

struct Graph {
    std::vector<references::Block> blocks; ///< by address
    std::vector<Root> roots;               ///< each once
    std::vector<Edge> edges;

    [[nodiscard]] bool isRoot(std::uint32_t node) const { return node >= blocks.size(); }
    /// The node of the stack that a root is a frame of; others: the root itself.
    [[nodiscard]] std::uint32_t topOf(std::uint32_t node) const {
        const auto& root = roots[node - blocks.size()];
        return root.kind == RootKind::Stack ? nodeOf({root.kind, kThreadName, root.thread}) : node;
    }
    /// Number of the node.
    [[nodiscard]] std::uint32_t nodeOf(const Root& root) const {
        return static_cast<std::uint32_t>(blocks.size()) +
               static_cast<std::uint32_t>(std::ranges::find(roots, root) - roots.begin());
    }
};

/// A process with random blocks, and the references that are in its memory.
class RandomProcess {
  public:
    explicit RandomProcess(std::uint64_t seed) : random_(seed) {
        addBlocks(1 + random_() % 200);
        process.thread(8, kThreadName), process.thread(9, kThreadName);
        process.mapping(kPool, kPool + 0x10000, kReadWrite, "[anon:pool]");
        addSymbols();
        const auto edges = random_() % (graph.blocks.size() * (1 + random_() % 4) + 1);
        for (std::size_t i = 0; i < edges; ++i)
            addEdge();
        for (auto words = random_() % 12; words > 0; --words)
            addRootWord();
        for (const auto& [root, to, isCertain] : words_)
            graph.edges.push_back({graph.nodeOf(root), to, isCertain});
    }
    FakeProcess process;
    Graph graph;

  private:
    static constexpr Address kPool = 0x7D00'0000'0000;

    void addBlocks(std::size_t count) {
        Address address = FakeProcess::kHeap;
        std::vector<references::Block> order;
        for (std::size_t i = 0; i < count; ++i) {
            address += 16 * (random_() % 3) + (random_() % 50 == 0 ? 2 << 20 : 0); // other places of the index
            if (address > FakeProcess::kHeap + FakeProcess::kHeapBytes - 0x100000) break;
            const ByteCount bytes = random_() % 40 == 0 ? random_() % 2 : 8 * (1 + random_() % 8);
            graph.blocks.push_back({address, bytes});
            address += (std::max<ByteCount>(bytes, 1) + 15) / 16 * 16;
        }
        order = graph.blocks;
        std::ranges::shuffle(order, random_);
        for (const auto& block : order)
            process.block(block.address, block.bytes);
        used_.resize(count);
    }
    /// An address in the block, often its start.
    Address addressIn(std::uint32_t block, bool& isCertain) {
        const auto bytes = graph.blocks[block].bytes;
        isCertain = bytes < 2 || random_() % 5 != 0;
        return graph.blocks[block].address + (isCertain ? 0 : 1 + random_() % (bytes - 1));
    }
    void addEdge() {
        const auto count = static_cast<std::uint32_t>(graph.blocks.size());
        const auto from = static_cast<std::uint32_t>(random_() % count);
        // Local graphs have deep dominators, others many paths.
        const auto near = static_cast<std::uint32_t>((from + random_() % 4) % count);
        const auto to = random_() % 2 == 0 ? near : static_cast<std::uint32_t>(random_() % count);
        if (used_[from] + 8 > graph.blocks[from].bytes) return;
        bool isCertain = true;
        process.word(graph.blocks[from].address + used_[from], addressIn(to, isCertain));
        used_[from] += 8;
        graph.edges.push_back({from, to, isCertain});
    }
    /// Of the first words of the data, some have names. A variable can be in two parts, like those of two files that
    /// have the same name.
    void addSymbols() {
        for (Address word = 0; word < kNamedWords; ++word) {
            if (random_() % 3 == 0) continue;
            names_[word] = fmt::format("libapp.so!{}", random_() % 6);
            process.symbol(FakeProcess::kData + 8 * word, 8, names_[word]);
        }
        for (const auto& thread : process.threads())
            process.symbol(thread.threadPointer - 16, 8, "app!t_first", RootKind::ThreadLocal)
                .symbol(thread.threadPointer - 8, 8, "app!t_second", RootKind::ThreadLocal);
        for (const auto& thread : process.threads())
            for (Address frame = 0; frame < kFrames; ++frame)
                process.symbol(thread.stackPointer + 8 * frame, 8, frameName(frame), RootKind::Stack);
    }
    void addRootWord() {
        const auto to = static_cast<std::uint32_t>(random_() % graph.blocks.size());
        bool isCertain = true;
        const auto value = addressIn(to, isCertain);
        const auto root = rootWith(value);
        addRoot(root);
        if (root.kind == RootKind::Stack) addRoot({root.kind, kThreadName, root.thread});
        words_.push_back({root, to, isCertain});
    }
    void addRoot(const Root& root) {
        if (std::ranges::find(graph.roots, root) == graph.roots.end()) graph.roots.push_back(root);
    }
    /// Some functions have several frames.
    static std::string frameName(Address frame) { return fmt::format("app!f{}", frame % 3); }
    /// Writes the value into a word of a root.
    Root rootWith(std::uint64_t value) {
        const auto number = ++roots_;
        const auto kind = static_cast<RootKind>(random_() % kRootKinds);
        auto& thread = process.threads()[random_() % 2];
        const Root ofThread{kind, thread.name, thread.tid};
        switch (kind) {
        case RootKind::Variable:
            break;
        case RootKind::ThreadLocal: {
            if (random_() % 2 == 0) return process.word(thread.threadPointer + 8 * number, value), ofThread;
            const bool isFirst = !std::exchange(hasFirst_[thread.tid - 8], true);
            if (!isFirst && std::exchange(hasSecond_[thread.tid - 8], true)) break;
            process.word(thread.threadPointer - (isFirst ? 16 : 8), value);
            return {kind, isFirst ? "app!t_first" : "app!t_second", thread.tid};
        }
        case RootKind::Stack:
            process.word(thread.stackPointer + 8 * number, value);
            return number < kFrames ? Root{kind, frameName(number), thread.tid} : ofThread;
        case RootKind::Register:
            return thread.registers[number] = value, ofThread;
        case RootKind::Mapping:
            return process.word(kPool + 8 * number, value), Root{kind, "[anon:pool]", 0};
        }
        const auto at = process.variable(value);
        const auto word = (at - FakeProcess::kData) / 8;
        const bool isNamed = word < kNamedWords && !names_[word].empty();
        return {RootKind::Variable, isNamed ? names_[word] : "/usr/lib/libapp.so", 0};
    }

    struct Word {
        Root root;
        std::uint32_t to = 0;
        bool isCertain = true;
    };
    static constexpr Address kNamedWords = 10, kFrames = 7;
    std::mt19937_64 random_;
    std::vector<ByteCount> used_;
    std::vector<Word> words_;
    std::size_t roots_ = 0;
    std::array<std::string, kNamedWords> names_;
    std::array<bool, 2> hasFirst_{}, hasSecond_{}; ///< by thread
};

/// The definitions.
class Naive {
  public:
    explicit Naive(const Graph& graph)
        : graph_(graph), count_(graph.blocks.size()), nodes_(count_ + graph.roots.size()) {
        reachable_ = markedFromRoots(true, kNone), reached_ = markedFromRoots(false, kNone);
        findHeads();
        for (std::uint32_t node = 0; node < nodes_; ++node)
            dominated_.push_back(unreachedWithout(node));
    }

    [[nodiscard]] Reachability reachabilityOf(std::uint32_t block) const {
        if (reachable_[block]) return Reachability::Reachable;
        if (reached_[block]) return Reachability::Possible;
        return isHead_[block] ? Reachability::Unreachable : Reachability::OnlyLeaked;
    }
    /// Of all nodes without which this block is not reached, that without which fewest others are not.
    [[nodiscard]] std::uint32_t dominatorOf(std::uint32_t block) const {
        auto best = kNone;
        std::size_t fewest = nodes_ + 1;
        for (std::uint32_t other = 0; other < nodes_; ++other) {
            if (other == block || !dominated_[other][block]) continue;
            const auto others = static_cast<std::size_t>(std::ranges::count(dominated_[other], true));
            if (others < fewest) fewest = others, best = other;
        }
        return best;
    }
    /// Of a group of nodes.
    [[nodiscard]] ByteCount retainedOf(std::span<const std::uint32_t> group) const {
        ByteCount sum = 0;
        for (std::uint32_t block = 0; block < count_; ++block) {
            const bool goes = std::ranges::any_of(group, [&](auto member) { return dominated_[member][block]; });
            if (goes) sum += graph_.blocks[block].bytes;
        }
        return sum;
    }
    /// Edges from roots or heads on the shortest path that leads to the block, and the best kind of root of such a
    /// path.
    struct Distance {
        std::uint32_t edges = kNone;
        RootKind kind = RootKind::Mapping;
        friend auto operator<=>(const Distance&, const Distance&) = default;
    };
    [[nodiscard]] std::vector<Distance> distances() const {
        std::vector<Distance> distances(count_);
        for (const bool onlyCertain : {true, false}) {
            const auto before = distances; // certain distances are final
            for (bool isChanged = true; isChanged;) {
                isChanged = false;
                for (const auto& edge : graph_.edges) {
                    if ((onlyCertain && !edge.isCertain) || before[edge.to].edges != kNone) continue;
                    Distance found;
                    if (graph_.isRoot(edge.from)) {
                        found = {0, graph_.roots[edge.from - count_].kind};
                    } else {
                        if (distances[edge.from].edges == kNone) continue;
                        found = {distances[edge.from].edges + 1, distances[edge.from].kind};
                    }
                    if (found < distances[edge.to]) distances[edge.to] = found, isChanged = true;
                }
            }
        }
        return distances;
    }

  private:
    using Marks = std::vector<bool>;

    /// Marks until nothing changes.
    void mark(Marks& marks, bool onlyCertain, std::uint32_t removed) const {
        for (bool isChanged = true; isChanged;) {
            isChanged = false;
            for (const auto& edge : graph_.edges) {
                if (!marks[edge.from] || marks[edge.to] || edge.to == removed) continue;
                if (onlyCertain && !edge.isCertain) continue;
                marks[edge.to] = isChanged = true;
            }
        }
    }
    [[nodiscard]] Marks markedFromRoots(bool onlyCertain, std::uint32_t removed) const {
        Marks marks(nodes_);
        for (auto root = static_cast<std::uint32_t>(count_); root < nodes_; ++root)
            marks[root] = root != removed && graph_.topOf(root) != removed;
        mark(marks, onlyCertain, removed);
        return marks;
    }
    [[nodiscard]] Marks markedFrom(std::uint32_t block) const {
        Marks marks(nodes_);
        marks[block] = true;
        mark(marks, false, kNone);
        return marks;
    }
    /// The lowest block of each cycle of leaked blocks that no other leaked block leads to. A single block is a cycle.
    void findHeads() {
        std::vector<Marks> from;
        for (std::uint32_t block = 0; block < count_; ++block)
            from.push_back(reached_[block] ? Marks(nodes_) : markedFrom(block));
        isHead_.resize(count_);
        for (std::uint32_t block = 0; block < count_; ++block) {
            isHead_[block] = !reached_[block];
            for (std::uint32_t other = 0; other < count_; ++other) {
                if (other == block || !from[other][block]) continue;
                if (!from[block][other] || other < block) isHead_[block] = false;
            }
        }
    }
    /// What is not found any more if the node is not there, with the node.
    [[nodiscard]] Marks unreachedWithout(std::uint32_t node) const {
        auto left = markedFromRoots(false, node);
        if (!reached_[node]) {
            Marks leaked(nodes_);
            for (std::uint32_t head = 0; head < count_; ++head)
                if (isHead_[head] && head != node) leaked[head] = true;
            mark(leaked, false, node);
            for (std::uint32_t other = 0; other < count_; ++other)
                if (leaked[other] || reached_[other]) left[other] = true;
        } else {
            for (std::uint32_t other = 0; other < count_; ++other)
                if (!reached_[other]) left[other] = true;
        }
        left[node] = false;
        left.flip();
        return left;
    }

    const Graph& graph_;
    std::size_t count_, nodes_;
    Marks reachable_, reached_, isHead_;
    std::vector<Marks> dominated_;
};

/// The number of edges from the root or head that holds the block, along its holders; and the kind of the root.
Naive::Distance distanceAlongHolders(const MemoryPicture& picture, std::uint32_t block) {
    Naive::Distance distance{0, RootKind::Mapping};
    const auto count = picture.blocks.size();
    for (auto at = picture.blocks[block].holder; at != kNone; at = picture.blocks[at].holder) {
        if (at >= count) {
            distance.kind = picture.roots[at - count].kind;
            break;
        }
        ++distance.edges;
    }
    return distance;
}

bool isReached(const PictureBlock& block) { return block.reachability <= Reachability::Possible; }

/// The node of a block or root of the picture.
std::uint32_t nodeOf(const Graph& graph, const MemoryPicture& picture, std::uint32_t number) {
    if (number < picture.blocks.size() || number == kNone) return number;
    const auto& root = picture.roots[number - picture.blocks.size()];
    return graph.nodeOf({root.kind, picture.names[root.name], root.thread});
}

std::string rootDifference(const Graph& graph, const MemoryPicture& picture, const Naive& naive) {
    const references::RetainedSizes retained(picture);
    std::vector<bool> isInPicture(graph.roots.size());
    for (std::uint32_t i = 0; i < picture.roots.size(); ++i) {
        const auto number = static_cast<std::uint32_t>(picture.blocks.size()) + i,
                   node = nodeOf(graph, picture, number);
        if (node - graph.blocks.size() >= graph.roots.size() || isInPicture[node - graph.blocks.size()])
            return fmt::format("root {}", i);
        isInPicture[node - graph.blocks.size()] = true;
        const bool isParent = std::ranges::find(picture.roots, i, &PictureRoot::parent) != picture.roots.end();
        if (!isParent && std::ranges::find(picture.blocks, number, &PictureBlock::holder) == picture.blocks.end())
            return fmt::format("root {} holds nothing", i);
        if (retained.of(number) != naive.retainedOf(std::array{node})) return fmt::format("retained of root {}", i);
    }
    for (std::uint32_t i = 0; i < graph.roots.size(); ++i) {
        const auto node = static_cast<std::uint32_t>(graph.blocks.size()) + i;
        if (!isInPicture[i] && naive.retainedOf(std::array{node}) != 0) return fmt::format("no root {}", i);
    }
    return {};
}

/// What differs from the definitions; "" if nothing does.
std::string difference(const RandomProcess& made, const MemoryPicture& picture) {
    const Naive naive(made.graph);
    const references::RetainedSizes retained(picture);
    const auto distances = naive.distances();
    if (picture.blocks.size() != made.graph.blocks.size()) return "number of blocks";
    for (std::uint32_t i = 0; i < picture.blocks.size(); ++i) {
        const auto& block = picture.blocks[i];
        if (block.address != made.graph.blocks[i].address) return fmt::format("address of {}", i);
        if (block.reachability != naive.reachabilityOf(i)) return fmt::format("reachability of {}", i);
        if (nodeOf(made.graph, picture, block.dominator) != naive.dominatorOf(i))
            return fmt::format("dominator of {}", i);
        if (retained.of(i) != naive.retainedOf(std::array{i})) return fmt::format("retained of {}", i);
        const auto holder = nodeOf(made.graph, picture, block.holder);
        const auto isHeld = [&](const Edge& edge) { return edge.from == holder && edge.to == i; };
        if (holder != kNone && std::ranges::none_of(made.graph.edges, isHeld))
            return fmt::format("{} is not referred to by its holder", i);
        if (!isReached(block)) continue;
        const auto distance = distanceAlongHolders(picture, i);
        if (distance.edges != distances[i].edges) return fmt::format("distance of {}", i);
        if (block.reachability == Reachability::Reachable && distance != distances[i])
            return fmt::format("root that holds {}", i);
    }
    return rootDifference(made.graph, picture, naive);
}

std::string groupDifference(const RandomProcess& made, const MemoryPicture& picture, std::mt19937_64& random) {
    const Naive naive(made.graph);
    const references::RetainedSizes retained(picture);
    for (int round = 0; round < 5; ++round) {
        std::vector<std::uint32_t> group(random() % 12);
        for (auto& member : group)
            member = static_cast<std::uint32_t>(random() % picture.blocks.size());
        if (retained.ofGroup(group) != naive.retainedOf(group)) return "group";
    }
    return {};
}

} // namespace

class RandomGraphsTest : public QObject {
    Q_OBJECT

  private slots:
    void picturesAreAsDefined() {
        for (std::uint64_t seed = 0; seed < 2000; ++seed) {
            const RandomProcess made(seed);
            const auto picture = made.process.picture();
            const auto differs = difference(made, picture);
            QVERIFY2(differs.empty(), fmt::format("{} with seed {}:\n{}", differs, seed, textOf(picture)).c_str());
        }
    }
    void groupsRetainEachBlockOnce() {
        std::mt19937_64 random(1);
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            const RandomProcess made(seed);
            const auto picture = made.process.picture();
            const auto differs = groupDifference(made, picture, random);
            QVERIFY2(differs.empty(), fmt::format("{} with seed {}:\n{}", differs, seed, textOf(picture)).c_str());
        }
    }
    void theSameMemoryHasTheSamePicture() {
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            const RandomProcess made(seed);
            const auto first = made.process.picture();
            for (int round = 0; round < 5; ++round)
                QVERIFY(made.process.picture() == first);
        }
    }
};

HIGHWATER_TEST(RandomGraphsTest);
#include "random_graphs_test.moc"
