// Makes objects of classes with virtual functions, 20 of each, and blocks without; then waits until it is killed.
// argv[1]: a file that it creates when all are made.

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QTimer>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <unistd.h>
#include <vector>

constexpr int kEach = 20;

struct Session {
    virtual ~Session() = default;
    long id = 0;
};
struct Listener {
    virtual ~Listener() = default;
    virtual void hear() {}
};
struct LoudSession : Listener, Session {};
struct Diamond : virtual Session, virtual Listener {};
template <typename Key, typename Value>
struct Table : Session {};
struct Plain {
    long numbers[8] = {};
};
class Worker : public QObject {};

namespace {

struct Hidden : Session {};

std::vector<Session*> g_sessions;
std::vector<Listener*> g_listeners; ///< those of LoudSession are at the start, those of Diamond are not
std::vector<std::shared_ptr<Plain>> g_shared;
std::vector<std::ostringstream*> g_streams;
std::vector<QObject*> g_objects;
std::vector<Plain*> g_plain;
std::vector<void*> g_misleading;

void make() {
    for (int i = 0; i < kEach; ++i) {
        g_sessions.push_back(new Session);
        g_sessions.push_back(new Hidden);
        g_sessions.push_back(new Table<int, char>);
        g_listeners.push_back(new LoudSession);
        g_listeners.push_back(new Diamond);
        g_shared.push_back(std::make_shared<Plain>());
        g_streams.push_back(new std::ostringstream);
        g_objects.push_back(new Worker);
        g_objects.push_back(new QTimer);
        g_objects.push_back(new QLabel);
        g_objects.push_back(new QPushButton);
        g_plain.push_back(new Plain);
        // The table of a class, but not where objects refer to it; and such a reference, but not at the start.
        auto* const words = static_cast<char**>(std::malloc(777));
        std::memcpy(words, g_sessions.front(), sizeof *words);
        words[1] = words[0], words[0] -= 8;
        g_misleading.push_back(words);
    }
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    make();
    if (argc > 1) std::fclose(std::fopen(argv[1], "w"));
    for (;;)
        pause();
}
