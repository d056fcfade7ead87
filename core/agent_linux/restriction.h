#pragma once

namespace highwater::agent {

/// Announces, for its lifetime, system calls of the agent on this thread that are not part of a record: a Restriction
/// on another thread waits for their end. Not permitted if a restriction is pending or permanent.
class AgentCalls {
  public:
    AgentCalls();
    ~AgentCalls();
    AgentCalls(const AgentCalls&) = delete;
    AgentCalls& operator=(const AgentCalls&) = delete;
    [[nodiscard]] bool arePermitted() const { return arePermitted_; }
    /// All others of this thread have ended without notice.
    static void forgetOthers();

  private:
    bool arePermitted_;
};

/// Surrounds a system call that restricts this process. Meanwhile nothing is recorded, and no thread is inside the
/// agent or makes its system calls. If the call takes effect, that is permanent, also in forked children. Several
/// threads may do this at the same time: recording continues when the last one has ended, unless one is permanent.
class Restriction {
  public:
    Restriction();
    ~Restriction();
    Restriction(const Restriction&) = delete;
    Restriction& operator=(const Restriction&) = delete;
    void stay();

  private:
    bool isUnderWay_ = false;
};

} // namespace highwater::agent
