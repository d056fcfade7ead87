// The server in the picture of the page Held By in manual.md: it keeps sessions in a cache and lines of a history, and
// loses a buffer for every tenth request.
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

struct Session {
    std::string user;
    std::vector<char> buffer;
};

std::map<int, std::unique_ptr<Session>> g_sessions;

[[gnu::noinline]] static void addSession(int id) {
    auto session = std::make_unique<Session>();
    session->user = "visitor number " + std::to_string(id);
    session->buffer.resize(3000);
    g_sessions[id] = std::move(session);
}

[[gnu::noinline]] static void writeHistory(int id) {
    static std::vector<std::string> lines;
    lines.push_back("a request was answered, number " + std::to_string(id));
}

char* g_last;

[[gnu::noinline]] static void loseBuffer() { g_last = new char[500]; }

int main() {
    for (int id = 0; id < 4000; ++id) {
        addSession(id);
        writeHistory(id);
        if (id % 10 == 0) loseBuffer();
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
}
