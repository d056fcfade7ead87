#include "core/source/attach/agent_library_linux.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace highwater;
using namespace highwater::source;
namespace fs = std::filesystem;

/// The place of the recorder's library, and the path by which programs load it.
class AgentLibraryTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        root_ = folder_->path().toStdString();
        data_ = qgetenv("XDG_DATA_HOME");
        qputenv("XDG_DATA_HOME", (root_ / "data").c_str());
    }
    void cleanup() { data_.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", data_); }

    void isThatOfTheBuildTree() {
        makeTree();
        QCOMPARE(agentLibraryFor(program()), tree() / "agent/libhighwater-agent.so");
        touch(program().parent_path() / "libhighwater-agent.so");
        QCOMPARE(agentLibraryFor(program()), program().parent_path() / "libhighwater-agent.so");
    }
    void isNotWhereAnotherUserCouldHaveInstalledIt() {
        makeTree();
        fs::remove(tree() / "CMakeCache.txt");
        const auto installed = tree() / "app/lib/highwater/agent";
        fs::create_directories(installed);
        touch(installed / "libhighwater-agent.so");
        QCOMPARE(agentLibraryFor(program()), installed / "libhighwater-agent.so");
        QCOMPARE(::chmod(installed.c_str(), 0777), 0);
        QVERIFY(agentLibraryFor(program()).empty());
    }
    void isNotThatOfATreeThatOthersMayWriteTo() {
        for (const auto* place :
             {"tree", "tree/agent", "tree/agent/libhighwater-agent.so", "tree/agent/highwater-attach"}) {
            fs::remove_all(tree());
            makeTree();
            QCOMPARE(::chmod((root_ / place).c_str(), 0777), 0);
            QVERIFY2(agentLibraryFor(program()).empty(), place);
        }
    }
    void isNotThatOfAnotherUsersTree() {
        if (::geteuid() != 0) QSKIP("only root can give files away");
        constexpr uid_t kNobody = 65534;
        for (const auto* place :
             {"tree", "tree/agent", "tree/agent/libhighwater-agent.so", "tree/agent/highwater-attach"}) {
            fs::remove_all(tree());
            makeTree();
            QCOMPARE(::chown((root_ / place).c_str(), kNobody, kNobody), 0);
            QVERIFY2(agentLibraryFor(program()).empty(), place);
            // The program's owner has already given us worse code to run.
            QCOMPARE(::chown(program().c_str(), kNobody, kNobody), 0);
            QVERIFY2(!agentLibraryFor(program()).empty(), place);
        }
    }
    void hasItsLinkInTheUsersOwnFolder() {
        auto library = AgentLibrary::make(root_ / "a b/lib.so");
        QVERIFY2(library.hasValue(), library.hasValue() ? "" : library.error().message.c_str());
        const auto link = library.value().preloadPath();
        QVERIFY2(link.string().starts_with((root_ / "data/highwater/agent").string()), link.c_str());
        QCOMPARE(fs::read_symlink(link), root_ / "a b/lib.so");
        for (const auto& place : {root_ / "data", link.parent_path().parent_path(), link.parent_path()})
            QCOMPARE(fs::status(place).permissions(), fs::perms::owner_all);
        library.value().removeLink();
        QVERIFY(!fs::exists(link.parent_path()));
    }
    void isNotLinkedWhereNoPathCanBeLoaded() {
        qputenv("XDG_DATA_HOME", (root_ / "da ta").c_str());
        const auto library = AgentLibrary::make(root_ / "a b/lib.so");
        if (library.hasValue()) {
            QVERIFY(library.value().preloadPath().string().starts_with("/run/user/"));
            return;
        }
        QVERIFY2(library.error().message.find("XDG_DATA_HOME") != std::string::npos, library.error().message.c_str());
    }
    void losesLinksWhoseRecorderIsGone() {
        auto living = AgentLibrary::make(root_ / "a b/lib.so");
        auto dead = AgentLibrary::make(root_ / "a b/lib.so");
        QVERIFY(living.hasValue() && dead.hasValue());
        const auto livingLink = living.value().preloadPath(), deadLink = dead.value().preloadPath();
        QCOMPARE(removeStaleAgentLinks(), std::size_t{0});
        dead = Error{ErrorKind::Io, "gone"}; // as when its process ends without removing it
        QVERIFY(fs::is_symlink(deadLink));
        QCOMPARE(removeStaleAgentLinks(), std::size_t{1});
        QVERIFY(!fs::exists(deadLink.parent_path()));
        QVERIFY(fs::is_symlink(livingLink));
    }

  private:
    [[nodiscard]] fs::path tree() const { return root_ / "tree"; }
    [[nodiscard]] fs::path program() const { return tree() / "app/below/highwater"; }
    static void touch(const fs::path& path) { std::ofstream(path) << "x"; }
    void makeTree() const {
        fs::create_directories(program().parent_path());
        fs::create_directories(tree() / "agent");
        for (const auto& file : {program(), tree() / "CMakeCache.txt", tree() / "agent/libhighwater-agent.so",
                                 tree() / "agent/highwater-attach"})
            touch(file);
    }

    std::unique_ptr<QTemporaryDir> folder_;
    fs::path root_;
    QByteArray data_;
};
HIGHWATER_TEST(AgentLibraryTest);
#include "agent_library_test_linux.moc"
