// The service in the pictures of README.md and manual.md: it keeps a small record for every request that it has
// answered, and frees everything else. Its records are alone on their pages, which the allocator therefore cannot
// return.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

struct Session {
    int user;
    char name[28];
};

class Sessions {
  public:
    [[gnu::noinline]] void add(int user) {
        auto* session = static_cast<Session*>(std::malloc(sizeof(Session)));
        session->user = user;
        std::strcpy(session->name, "visitor");
        sessions_.push_back(session);
    }

  private:
    std::vector<Session*> sessions_;
};

class Request {
  public:
    [[gnu::noinline]] explicit Request(int number) {
        const std::size_t bytes = 3000 + static_cast<std::size_t>(number % 2000);
        body_ = static_cast<char*>(std::malloc(bytes));
        std::memset(body_, number, bytes);
    }
    void finish() { std::free(body_); }

  private:
    char* body_;
};

/// Answers many requests at once, as a service does under load.
[[gnu::noinline]] static void serve(Sessions& sessions, int count) {
    std::vector<Request> requests;
    for (int i = 0; i < count; ++i) {
        requests.emplace_back(i);
        sessions.add(i);
        if (i % 1000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    for (auto& request : requests)
        request.finish();
}

int main(int argc, char** argv) {
    Sessions sessions;
    const int requests = argc > 1 ? std::atoi(argv[1]) : 200'000;
    serve(sessions, requests / 3);
    std::this_thread::sleep_for(std::chrono::seconds(2));
    serve(sessions, requests);
    std::this_thread::sleep_for(std::chrono::seconds(10));
}
