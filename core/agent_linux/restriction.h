#pragma once

namespace highwater::agent {

/// Announces, while it lives, that this thread makes system calls of the agent's that no record of its shows: a
/// Restriction on another thread waits for their end. Not permitted: one has begun already, or stays.
class AgentCalls {
  public:
    AgentCalls();
    ~AgentCalls();
    AgentCalls(const AgentCalls&) = delete;
    AgentCalls& operator=(const AgentCalls&) = delete;
    [[nodiscard]] bool arePermitted() const { return arePermitted_; }
    /// Those of this thread but the newest have ended without a word.
    static void forgetOthers();

  private:
    bool arePermitted_;
};

/// Stands around a system call that forbids this process others: meanwhile nothing is recorded, and no thread is inside
/// the agent, nor makes a system call of its. If the call had its effect it stays so, in forked children, too. Several
/// threads may be at it: recording goes on when the last one has ended, unless one stays.
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
