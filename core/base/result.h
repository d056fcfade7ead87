#pragma once

#include <string>
#include <utility>
#include <variant>

namespace highwater {

/// Kind of failure. Determines the exit code and the fix that is offered.
enum class ErrorKind {
    NotFound,     ///< no such file or object
    AccessDenied, ///< missing permissions
    NotATrace,    ///< the input is not a trace
    Unsupported,  ///< a trace in a form that Highwater does not read
    Damaged,      ///< a trace without readable content
    Io,           ///< the system failed to read or write
    Cancelled,    ///< the user stopped it
    OutOfOrder,   ///< the input was out of order and must be read again in another way
    Usage,        ///< invalid request
};

/// A failure outside the program: a kind and a sentence that the user can act on.
struct Error {
    ErrorKind kind = ErrorKind::Io;
    std::string message;
};

/// Either a value or an Error. There is no operator bool: ask hasValue().
template <typename T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::move(value)) {}
    Result(Error error) : state_(std::move(error)) {}

    [[nodiscard]] bool hasValue() const { return std::holds_alternative<T>(state_); }
    [[nodiscard]] T& value() & { return std::get<T>(state_); }
    [[nodiscard]] const T& value() const& { return std::get<T>(state_); }
    [[nodiscard]] T&& value() && { return std::get<T>(std::move(state_)); }
    [[nodiscard]] const Error& error() const { return std::get<Error>(state_); }

  private:
    std::variant<T, Error> state_;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error) : error_(std::move(error)), failed_(true) {}

    [[nodiscard]] bool hasValue() const { return !failed_; }
    void value() && {} ///< for TRY
    [[nodiscard]] const Error& error() const { return error_; }

  private:
    Error error_;
    bool failed_ = false;
};

} // namespace highwater

#define HIGHWATER_JOINED(a, b) a##b
#define HIGHWATER_UNIQUE(prefix, number) HIGHWATER_JOINED(prefix, number)
#define HIGHWATER_TRY(result, ...)                                                                                     \
    __extension__({                                                                                                    \
        auto result = (__VA_ARGS__);                                                                                   \
        if (!result.hasValue()) return result.error();                                                                 \
        std::move(result).value();                                                                                     \
    })

/// Extracts the value of a Result, or returns its Error from the function:
///     auto file = TRY(MappedFile::open(path));
///     TRY(file.write(bytes));
/// Use it only as a whole initializer or a whole statement because GCC leaks the temporaries of a larger expression
/// that `return` leaves.
#define TRY(...) HIGHWATER_TRY(HIGHWATER_UNIQUE(tried_, __COUNTER__), __VA_ARGS__)
