#pragma once

#include <csignal>
#include <spawn.h>
#include <string>
#include <vector>

namespace highwater::source {

/// Settings of a program that we start. It does not inherit our blocked signals; everything else is up to the caller.
class SpawnSettings {
  public:
    SpawnSettings() {
        posix_spawn_file_actions_init(&actions_);
        posix_spawnattr_init(&attributes_);
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;
    ~SpawnSettings() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }

    [[nodiscard]] posix_spawn_file_actions_t* actions() { return &actions_; }
    [[nodiscard]] posix_spawnattr_t* attributes() { return &attributes_; }
    /// In addition to the flag for the signal mask.
    void setFlags(short flags) {
        posix_spawnattr_setflags(&attributes_, static_cast<short>(POSIX_SPAWN_SETSIGMASK | flags));
    }
    /// Starts the program. Returns an errno, or 0. The first word is its name.
    int run(const std::string& file, std::vector<std::string> words, char* const* environment, pid_t& pid) const {
        return posix_spawn(&pid, file.c_str(), &actions_, &attributes_, pointersTo(words).data(), environment);
    }

    /// Pointers in the form that the system needs, valid as long as the texts.
    static std::vector<char*> pointersTo(std::vector<std::string>& texts) {
        std::vector<char*> pointers;
        for (std::string& text : texts)
            pointers.push_back(text.data());
        pointers.push_back(nullptr);
        return pointers;
    }

  private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

} // namespace highwater::source
